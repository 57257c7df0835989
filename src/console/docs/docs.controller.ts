import { Controller, Get, Header, Param, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { unknownUrl } from '../../common/gateway.errors.js';
import { Role } from '../session/role.js';
import { ApiDocumentService } from './api-document.service.js';
import { docsPage } from './docs.page.js';
import { docsFile } from './docs-files.js';

/**
 * The viewer writes style attributes, which a policy cannot allow individually; scripts come only from this gateway.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * `/docs`: interactive documentation of both APIs, from our own files only. It reveals no secrets, so it needs no
 * session.
 */
@Controller('docs')
@Role('anyone')
@ApiExcludeController()
export class DocsController {
  constructor(private readonly document: ApiDocumentService) {}

  @Get()
  @Header('content-type', 'text/html; charset=utf-8')
  @Header('content-security-policy', POLICY)
  @Header('referrer-policy', 'no-referrer')
  @Header('cache-control', 'no-cache')
  page(): string {
    return docsPage;
  }

  @Get('openapi.json')
  @Header('content-type', 'application/json; charset=utf-8')
  @Header('cache-control', 'no-cache')
  openApi(): string {
    return this.document.toJson();
  }

  @Get(':file')
  async file(@Param('file') name: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    const file = await docsFile(name);
    if (!file) throw unknownUrl();
    const isCompressed = request.acceptsEncodings('gzip') === 'gzip';
    if (isCompressed) response.setHeader('content-encoding', 'gzip');
    response
      .set({
        'content-type': `${file.type}; charset=utf-8`,
        'cache-control': 'no-cache',
        etag: file.etag,
        vary: 'accept-encoding',
      })
      .send(isCompressed ? file.compressed : file.body);
  }
}
