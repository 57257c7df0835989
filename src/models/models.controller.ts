import type { IncomingHttpHeaders } from 'node:http';
import { Controller, Get, Header, Param, Query, Req, UseGuards } from '@nestjs/common';
import type { Request } from 'express';
import { BearerGuard, CurrentCaller } from '../auth/bearer.guard.js';
import type { Caller } from '../auth/caller.types.js';
import { invalidRequest } from '../common/gateway.error.js';
import { toDay } from '../common/wall-clock.js';
import { InjectSettings, type Settings } from '../config/settings.js';
import { CatalogService } from './catalog.service.js';
import type { ListedPrices, Model } from './model.types.js';

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
  private toFormat(requested: unknown, request: Request): Format {
    if (requested === 'array' || requested === 'list') return requested;
    if (requested !== undefined) {
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

/** The APIs that a model of each kind can be called by; each target may support fewer. */
const APIS = { chat: ['chat.completions', 'responses', 'messages'], embedding: ['embeddings'] };

/**
 * An element of the plain array, with the five fields of the specification and no others. `name`: its id or an alias.
 */
function toSummary({ tier, contextLength, displayName, description }: Model, name: string) {
  return { id: name, tier, context_len: contextLength, display_name: displayName, description };
}

/** A model in Anthropic's format (`ModelInfo` of @anthropic-ai/sdk); time 0 if its release is unknown. */
function toAnthropicModel({ displayName, created }: Model, id: string) {
  return { type: 'model' as const, id, display_name: displayName, created_at: new Date(created * 1000).toISOString() };
}

/** A model in OpenAI's format, plus the fields that tools around it read. */
function toListElement(model: Model, name: string) {
  return {
    ...toSummary(model, name),
    object: 'model' as const,
    kind: model.kind,
    apis: APIS[model.kind],
    created: model.created,
    owned_by: model.ownedBy,
    context_length: model.contextLength,
    max_model_len: model.contextLength,
    max_output_tokens: model.maxOutputTokens,
    ...(model.kind === 'embedding' && { dimensions: model.dimensions, max_input_tokens: model.maxInputTokens }),
    modalities: { input: model.inputModalities, output: model.outputModalities },
    capabilities: model.capabilities ?? [],
    pricing: {
      currency: 'USD',
      unit: 'per million tokens',
      ...toPricing(model.usdPerMTok),
      ...(model.usdPerMTok.above.length > 0 && {
        above: model.usdPerMTok.above.map((step) => ({ input_tokens: step.inputTokens, ...toPricing(step) })),
      }),
      ...(model.priceUntil !== null && { until: new Date(model.priceUntil).toISOString() }),
    },
    ...(model.deprecated !== null && { deprecated: toDay(model.deprecated) }),
    ...(model.replacedBy !== null && { replaced_by: model.replacedBy }),
    simulated: model.simulated,
  };
}

function toPricing({ input, cachedInput, output, cacheWrites }: ListedPrices) {
  const hasWrites = Object.keys(cacheWrites).length > 0;
  return { input, cached_input: cachedInput, output, ...(hasWrites && { cache_write: cacheWrites }) };
}

/** Headers that only clients expecting OpenAI's list object send. */
const HEADERS = ['x-openai-client-user-agent', 'openai-organization', 'openai-project', 'x-title', 'http-referer'];

/** OpenAI's SDKs in all languages, and other libraries that speak OpenAI's format. */
const AGENTS = /OpenAI\/|^(?:litellm|Go-http-client|Java-http-client|okhttp|RooCode)\//;

/**
 * Whether a client is known to need OpenAI's list object and to fail on a plain array. Unknown clients get the array;
 * `/openai/v1` always serves the list.
 */
export function needsModelList(headers: IncomingHttpHeaders): boolean {
  if (AGENTS.test(headers['user-agent'] ?? '')) return true;
  if (HEADERS.some((name) => headers[name] !== undefined)) return true;
  return isAsyncOpenAi(headers) || Object.keys(headers).some((name) => name.startsWith('x-stainless-'));
}

/** async-openai (Rust) sends no user agent and no accept-encoding, unlike nearly all other clients. */
function isAsyncOpenAi(headers: IncomingHttpHeaders): boolean {
  const { accept, 'user-agent': agent, 'accept-encoding': coding } = headers;
  return agent === undefined && coding === undefined && accept === '*/*';
}
