import { type GatewayError, invalidRequest } from '../common/gateway.error.js';
import type { Model } from '../models/model.types.js';
import type { ChatCompletionRequest } from '../upstreams/contract/chat.types.js';
import { fileIn } from '../upstreams/contract/conversation-files.js';
import { isObject, type ReadonlyJsonObject } from '../upstreams/contract/json.js';
import { nativeBodyOf } from '../upstreams/tokens/native-walk.js';

/** An option of a request that providers charge in addition to tokens. */
export interface PaidOption {
  /** As in `serviceTiers` or `hostedTools` of a model. */
  readonly name: string;
  readonly param: string;
}

/** Fields of Chat Completions that ask for such options, also where an API passes them on unread. */
const PAID_FIELDS: readonly string[] = [
  ...['service_tier', 'speed', 'inference_geo', 'plugins', 'search_parameters', 'web_search_options', 'modalities'],
  ...['audio', 'tools'],
];

/** The paid options among fields that are sent as they are, as fields of Chat Completions. */
export function paidFields(sent: ReadonlyJsonObject, except: readonly string[] = []): ReadonlyJsonObject {
  const names = PAID_FIELDS.filter((name) => sent[name] != null && !except.includes(name));
  return Object.fromEntries(names.map((name) => [name, sent[name]]));
}

/** The tiers at list price, by the names of all providers. */
const STANDARD_TIERS: ReadonlySet<string> = new Set(['auto', 'default', 'standard', 'standard_only', 'on_demand']);
/** Cheaper than the list price, which is charged when there is no factor. */
const CHEAPER_TIERS: ReadonlySet<string> = new Set(['flex']);
const OWN_TOOLS: ReadonlySet<unknown> = new Set(['function', 'custom']);
/** `web_search_preview`, `web_search_20250305` …, but not dearer ones such as `web_search_premium`. */
const WEB_SEARCH = /^web_search(?:_preview)?(?:_[\d_]+)?$/;
/** Tools that reach other servers, or stores in the provider's account. Only for models that list them. */
const LISTED_ONLY: ReadonlySet<string> = new Set(['mcp', 'file_search']);
const NONE: readonly HostedTool[] = [];

/** A 400 for an option that costs extra if the model has prices but none for it, and for tools that must be listed. */
export function unpricedOptionError(
  request: ChatCompletionRequest,
  model: Model,
  searchesUnasked = false,
): GatewayError | null {
  const { price } = model;
  if (model.simulated) return null;
  if (!price.isPaid) return unlistedToolError(request, model);
  const tier = surchargedTier(request);
  if (tier && !price.serviceTiers.has(tier.name)) {
    const message = `The service tier '${tier.name.slice(0, 64)}' has no price for this model. Remove '${tier.param}', or ask an administrator to add it to serviceTiers of the model.`;
    return invalidRequest('unsupported_parameter', tier.param, message);
  }
  const extra = unpricedSurcharge(request);
  if (extra !== null) {
    const message = `'${extra}' has no price for this model. Remove it, or ask an administrator for a model without prices.`;
    return invalidRequest('unsupported_parameter', extra, message);
  }
  const search = searchesUnasked ? searchedAs(request) : SEARCH;
  const isListed = (name: string) => price.hostedTools.has(name);
  const tool =
    isListed(SEARCH) && !isListed(search)
      ? { name: search, param: 'web_search_options' }
      : hostedTools(request).find(({ name }) => !isListed(name));
  if (!tool) return null;
  const message = `'${tool.param}' requests a tool that the provider runs and that has no price for this model. Remove it, or ask an administrator to add '${tool.name.slice(0, 64)}' to hostedTools of the model.`;
  return invalidRequest('unsupported_parameter', tool.param, message);
}

/** A 400 for sound, whose tokens cost many times as much as text, if the model has prices but none for it. */
export function unpricedSoundError(request: ChatCompletionRequest, { price, simulated }: Model): GatewayError | null {
  if (simulated || !price.isPaid) return null;
  const sound =
    (price.audioInput === null ? soundIn(request) : null) ?? (price.audioOutput === null ? soundOut(request) : null);
  if (sound === null) return null;
  const message = `'${sound}' has sound, which has no price for this model. Remove it, or ask an administrator to add audioInputUsdPerMTok and audioOutputUsdPerMTok to the price of the model.`;
  return invalidRequest('unsupported_parameter', sound, message);
}

function unlistedToolError(request: ChatCompletionRequest, { price }: Model): GatewayError | null {
  const tool = hostedTools(request).find(({ family }) => LISTED_ONLY.has(family) && !price.hostedTools.has(family));
  if (!tool) return null;
  const message = `'${tool.param}' requests the tool '${tool.family}', which this model does not allow. Remove it, or ask an administrator to add it to hostedTools of the model.`;
  return invalidRequest('unsupported_parameter', tool.param, message);
}

/**
 * A tool that the provider runs. `name`: with the options that make it dearer. `limits`: the calls that each of its
 * entries allows; null: the request does not say.
 */
export interface HostedTool extends PaidOption {
  readonly family: string;
  readonly limits: readonly (number | null)[];
}

/**
 * Options of a tool that raise what a call of it costs, with their values at the tool's own price: the memory of a
 * container, another model, pictures that are larger, better, several, or in other formats, and another search engine or
 * more of its results than by default, as OpenRouter bills some engines by result.
 */
const DEARER_OPTIONS: readonly (readonly [path: readonly string[], included: readonly unknown[]])[] = [
  [['model'], []],
  [['container', 'memory_limit'], ['1g']],
  [['environment', 'memory_limit'], ['1g']],
  [['quality'], ['auto', 'low', 'medium', 'high']],
  [['size'], ['auto', '1024x1024', '1024x1536', '1536x1024']],
  [['output_format'], ['png', 'webp', 'jpeg']],
  [['frame_count'], []],
  [['svg', 'model'], []],
  [['partial_images'], [0]],
  [['input_fidelity'], ['low']],
  [['engine'], ['auto', 'native']],
  [['max_results'], [1, 2, 3, 4, 5]],
];

/**
 * The tools run by the provider, each with the first field that requests it. Only limits that the called API has count:
 * `max_tool_calls` of the Responses API, `max_uses` of the Messages API.
 */
export function hostedTools(request: ChatCompletionRequest): readonly HostedTool[] {
  const { tools, web_search_options: search, search_parameters: live, plugins } = request;
  const { [FILE_TOOL]: fileTool } = request as WithFileTool;
  if ([search, live, plugins, fileTool].every((option) => option === undefined) && !hasHostedTool(tools)) return NONE;
  const native = nativeBodyOf(request);
  const limit = native?.api === 'responses' ? countOr(native.fields.max_tool_calls, null) : null;
  const found = new Map<string, HostedTool & { limits: (number | null)[] }>();
  const add = (family: string, param: string, own = limit, options = '') => {
    const name = family + options;
    const same = found.get(name);
    if (same) same.limits.push(own);
    else found.set(name, { name, family, param, limits: [own] });
  };
  if (fileTool) add(fileTool.name, fileTool.param);
  if (isRequested(search)) add('web_search', 'web_search_options');
  if (isRequested(live) && modeOf(live) !== 'off') add('web_search', 'search_parameters');
  if (Array.isArray(tools)) {
    tools.forEach((tool: unknown, index) => {
      const type = typeOf(tool);
      if (OWN_TOOLS.has(type)) return;
      const own = native?.api === 'messages' && isObject(tool) ? tool.max_uses : null;
      add(nameOf(type), `tools[${index}]`, countOr(own, limit), dearerOptions(tool));
    });
  }
  if (Array.isArray(plugins)) {
    plugins.forEach((plugin: unknown, index) => {
      const id = isObject(plugin) ? plugin.id : undefined;
      add(id === 'web' ? 'web_search' : nameOf(id), `plugins[${index}]`);
    });
  }
  return [...found.values()];
}

/** A symbol, so that no client can send it. */
const FILE_TOOL = Symbol('file tool');

type WithFileTool = { readonly [FILE_TOOL]?: PaidOption };

/** A request whose files the provider reads with this tool, if it has files; null: it needs none. */
export function withFileTool(request: ChatCompletionRequest, name: string | null): ChatCompletionRequest {
  if (name === null) return request;
  const native = nativeBodyOf(request);
  const [list, holder] = native?.api === 'responses' ? ['input', native.fields] : ['messages', request];
  const path = fileIn(holder[list]);
  return path === null ? request : { ...request, [FILE_TOOL]: { name, param: list + path } };
}

/**
 * `_64g` for a container with more memory than the price of the tool includes, and so on for each such option. OpenRouter's
 * own tools have theirs in `parameters`.
 */
function dearerOptions(tool: unknown): string {
  const holders = isObject(tool) && isObject(tool.parameters) ? [tool, tool.parameters] : [tool];
  const names = holders.flatMap((one) =>
    DEARER_OPTIONS.map(([path, included]) => {
      const value = path.reduce<unknown>((holder, name) => (isObject(holder) ? holder[name] : undefined), one);
      if (value === undefined || value === null || included.includes(value)) return '';
      return `_${String(value).slice(0, 64).replace(/\W/g, '_')}`;
    }),
  );
  return names.join('');
}

/** The price of a search by a model that searches unasked: more results, or several steps, cost more than the default. */
export function searchedAs({ web_search_options: options }: ChatCompletionRequest): string {
  if (!isObject(options)) return SEARCH;
  const dearer = [options.search_context_size, options.search_type].filter(
    (value) => value !== undefined && value !== null && !LEAST_SEARCH.has(value),
  );
  return [SEARCH, ...dearer.map((value) => String(value).slice(0, 64).replace(/\W/g, '_'))].join('_');
}

const SEARCH = 'web_search';
/** `low` is the default of Perplexity. */
const LEAST_SEARCH: ReadonlySet<unknown> = new Set(['low', 'fast']);

function countOr(value: unknown, otherwise: number | null): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : otherwise;
}

/** Checked first without building a list, as most requests have none. */
function hasHostedTool(tools: unknown): boolean {
  if (!Array.isArray(tools)) return false;
  for (const tool of tools) if (!OWN_TOOLS.has(typeOf(tool))) return true;
  return false;
}

function typeOf(tool: unknown): unknown {
  return typeof tool === 'object' && tool !== null && 'type' in tool ? tool.type : undefined;
}

/** Anthropic's `speed` counts as a tier, too. */
export function tierOf({ service_tier: tier, speed }: ChatCompletionRequest): string | null {
  return tierNamed(tier) ?? tierNamed(speed);
}

/** Null: a tier at list price. */
export function tierNamed(tier: unknown): string | null {
  return typeof tier === 'string' && !STANDARD_TIERS.has(tier) ? tier : null;
}

function surchargedTier(request: ChatCompletionRequest): PaidOption | null {
  const tier = tierOf(request);
  if (tier === null || CHEAPER_TIERS.has(tier)) return null;
  return { name: tier, param: tierNamed(request.service_tier) === null ? 'speed' : 'service_tier' };
}

/** Anthropic's fields that raise the price without a factor in models.yaml, a second tier, and pictures in the answer. */
function unpricedSurcharge(request: ChatCompletionRequest): string | null {
  const { service_tier: tier, speed, inference_geo: geo, modalities } = request;
  if (tierNamed(tier) !== null && tierNamed(speed) !== null) return 'speed';
  if (Array.isArray(modalities) && modalities.includes('image')) return 'modalities';
  return typeof geo === 'string' && geo !== 'global' ? 'inference_geo' : null;
}

function nameOf(type: unknown): string {
  const name = typeof type === 'string' ? type : 'unknown';
  return WEB_SEARCH.test(name) ? 'web_search' : name;
}

function modeOf(parameters: unknown): unknown {
  return typeof parameters === 'object' && parameters !== null && 'mode' in parameters ? parameters.mode : undefined;
}

function isRequested(option: unknown): boolean {
  return option !== undefined && option !== null && option !== false;
}

/** A video has sound, which is billed apart. */
const SOUND_DATA = /^data:(?:audio|video)\//i;

/** The path of the first part of a request with sound; null: there is none. */
export function soundIn({ messages }: ChatCompletionRequest): string | null {
  for (const [index, { content, audio }] of (messages as readonly ReadonlyJsonObject[]).entries()) {
    if (isObject(audio)) return `messages[${index}].audio`;
    if (!Array.isArray(content)) continue;
    const position = content.findIndex((part) => isObject(part) && isSound(part));
    if (position >= 0) return `messages[${index}].content[${position}]`;
  }
  return null;
}

/** The field of a request that asks for sound; null: none does. */
export function soundOut({ modalities, audio }: ChatCompletionRequest): string | null {
  if (Array.isArray(modalities) && modalities.includes('audio')) return 'modalities';
  return isObject(audio) ? 'audio' : null;
}

/** Some servers also read the sound of parts that have another type. */
function isSound({ type, file, input_audio: heard, audio_url: address }: ReadonlyJsonObject): boolean {
  if (type === 'input_audio' || type === 'audio_url' || heard != null || address != null) return true;
  return isObject(file) && SOUND_DATA.test(String(file.file_data).slice(0, 16));
}
