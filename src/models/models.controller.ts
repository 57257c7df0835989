import { Controller, Get, Header, Param, Query, Req, UseGuards } from '@nestjs/common';
import type { Request } from 'express';
import { BearerGuard } from '../auth/bearer.guard.js';
import type { Caller } from '../auth/caller.types.js';
import { CurrentCaller } from '../auth/current-caller.js';
import { invalidRequest } from '../common/gateway.error.js';
import { InjectSettings, type Settings } from '../config/settings.js';
import { CatalogService } from './catalog.service.js';
import { needsModelList } from './list-clients.js';
import type { Model } from './model.types.js';
import { toListElement, toSummary } from './model.view.js';

type Format = 'array' | 'list';

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
    if (this.toFormat(format, request) === 'list') return { object: 'list', data: this.shown(models, toListElement) };
    // The array cannot tell the kind of a model: its clients use all of them to chat.
    const chatModels = models.filter(({ kind }) => kind === 'chat');
    return this.shown(chatModels, toSummary);
  }

  @Get('*id')
  @Header('cache-control', 'private, no-store')
  get(@CurrentCaller() caller: Caller, @Param('id') segments: string[]) {
    const name = segments.join('/');
    return toListElement(this.catalog.get(caller, name), name);
  }

  private shown<Shape>(models: readonly Model[], shape: (model: Model, name: string) => Shape): Shape[] {
    const { listAliases } = this.settings.server;
    const namesOf = ({ id, aliases }: Model) => (listAliases ? [id, ...aliases] : [id]);
    return models.flatMap((model) => namesOf(model).map((name) => shape(model, name)));
  }

  /** The query decides, then the client, then the path, then the configuration. */
  private toFormat(asked: unknown, request: Request): Format {
    if (asked === 'array' || asked === 'list') return asked;
    if (asked !== undefined) {
      throw invalidRequest('invalid_value', 'format', "Invalid value for 'format': it must be 'array' or 'list'.");
    }
    if (request.path.startsWith('/openai/') || needsModelList(request.headers)) return 'list';
    return this.settings.server.modelsFormat;
  }
}
