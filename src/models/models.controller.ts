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
import { toAnthropicModel, toListElement, toSummary } from './model.view.js';

/** `page`: Anthropic's list object. */
type Format = 'array' | 'list' | 'page';

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
    const shape = this.toFormat(format, request);
    if (shape === 'list') return { object: 'list', data: this.shown(models, toListElement) };
    // The other formats have no field for the kind of a model: their clients use every listed model to chat.
    const chatModels = models.filter(({ kind }) => kind === 'chat');
    return shape === 'page' ? toPage(this.shown(chatModels, toAnthropicModel)) : this.shown(chatModels, toSummary);
  }

  @Get('*id')
  @Header('cache-control', 'private, no-store')
  get(@CurrentCaller() caller: Caller, @Req() request: Request, @Param('id') segments: string[]) {
    const name = segments.join('/');
    const model = this.catalog.get(caller, name);
    return isAnthropicClient(request) ? toAnthropicModel(model, name) : toListElement(model, name);
  }

  private shown<Shape>(models: readonly Model[], shape: (model: Model, name: string) => Shape): Shape[] {
    const { listAliases } = this.settings.server;
    const namesOf = ({ id, aliases }: Model) => (listAliases ? [id, ...aliases] : [id]);
    return models.flatMap((model) => namesOf(model).map((name) => shape(model, name)));
  }

  /** The format is decided by the query, then the client, then the path, then the configuration. */
  private toFormat(asked: unknown, request: Request): Format {
    if (asked === 'array' || asked === 'list') return asked;
    if (asked !== undefined) {
      throw invalidRequest('invalid_value', 'format', "Invalid value for 'format': it must be 'array' or 'list'.");
    }
    if (isAnthropicClient(request)) return 'page';
    if (request.path.startsWith('/openai/') || needsModelList(request.headers)) return 'list';
    return this.settings.server.modelsFormat;
  }
}

function isAnthropicClient({ headers }: Request): boolean {
  return headers['anthropic-version'] !== undefined;
}

/** All models on one page. */
function toPage(data: readonly ReturnType<typeof toAnthropicModel>[]) {
  return { data, has_more: false, first_id: data[0]?.id ?? null, last_id: data.at(-1)?.id ?? null };
}
