import { Controller, Get, Header } from '@nestjs/common';
import { ApiExcludeController, ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import type { Session } from '../../accounts/user.types.js';
import { ConsoleController } from '../session/console.guard.js';
import { CurrentSession } from '../session/current-session.js';
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

@ConsoleController('openapi', 'Session', 'signed-in')
export class OwnDocsController {
  constructor(private readonly document: ApiDocumentService) {}

  @Get()
  @Header('content-type', 'application/json; charset=utf-8')
  @ApiOperation({ summary: 'The OpenAPI document of the operations that you can call' })
  @ApiOkResponse({ schema: { type: 'object', additionalProperties: true } })
  openApi(@CurrentSession() session: Session): string {
    return this.document.toJson(session.rights);
  }
}
