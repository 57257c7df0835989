import { Controller, Get, Header } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Access } from '../session/route-access.js';
import { ApiDocumentService } from './api-document.service.js';

/** `/docs/openapi.json`: the whole document, for tools. It reveals no secrets, so it needs no session. */
@Controller('docs')
@Access('anyone')
@ApiExcludeController()
export class DocsController {
  constructor(private readonly document: ApiDocumentService) {}

  @Get('openapi.json')
  @Header('content-type', 'application/json; charset=utf-8')
  @Header('cache-control', 'no-cache')
  openApi(): string {
    return this.document.toJson(null);
  }
}
