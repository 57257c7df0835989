import { Controller, Get, Header, Param, Query, Req, UseGuards } from '@nestjs/common';
import type { Request } from 'express';
import { BearerGuard } from '../auth/bearer.guard.js';
import type { Caller } from '../auth/caller.types.js';
import { CurrentCaller } from '../auth/current-caller.js';
import { invalidRequest } from '../common/gateway.error.js';
import { InjectSettings, type Settings } from '../config/settings.js';
import { CatalogService } from './catalog.service.js';
import { needsModelList } from './list-clients.js';
import { toListElement, toSummary } from './model.view.js';

type Format = 'array' | 'list';

/** `GET /v1/models`, and the same under `/openai/v1`, where the list is the default. */
@Controller(['v1/models', 'openai/v1/models'])
@UseGuards(BearerGuard)
export class ModelsController {
  constructor(
    private readonly catalog: CatalogService,
    @InjectSettings() private readonly settings: Settings,
  ) {}

  @Get()
  @Header('cache-control', 'private, no-store')
  list(@CurrentCaller() caller: Caller, @Req() request: Request, @Query('format') format?: unknown) {
    const models = this.catalog.list(caller);
    if (this.toFormat(format, request) === 'array') return models.map(toSummary);
    return { object: 'list', data: models.map(toListElement) };
  }

  @Get('*id')
  @Header('cache-control', 'private, no-store')
  get(@CurrentCaller() caller: Caller, @Param('id') segments: string[]) {
    return toListElement(this.catalog.get(caller, segments.join('/')));
  }

  /** The format from the query, otherwise from the client, otherwise from the path or the configuration. */
  private toFormat(requested: unknown, request: Request): Format {
    if (requested === 'array' || requested === 'list') return requested;
    if (requested !== undefined) {
      throw invalidRequest('invalid_value', 'format', "Invalid value for 'format': it must be 'array' or 'list'.");
    }
    if (request.path.startsWith('/openai/') || needsModelList(request.headers)) return 'list';
    return this.settings.server.modelsFormat;
  }
}
