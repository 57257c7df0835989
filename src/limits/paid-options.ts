import { type GatewayError, invalidRequest } from '../common/gateway.error.js';
import type { Model } from '../models/model.types.js';
import type { ChatCompletionRequest } from '../upstreams/contract/chat.types.js';

/** An option of a request that providers charge in addition to tokens. */
export interface PaidOption {
  /** As in `serviceTiers` or `hostedTools` of a model. */
  readonly name: string;
  readonly param: string;
}

/** The tiers at list price, by the names of all providers. */
const STANDARD_TIERS: ReadonlySet<string> = new Set(['auto', 'default', 'standard', 'standard_only', 'on_demand']);
/** Cheaper than the list price, which is charged when there is no factor. */
const CHEAPER_TIERS: ReadonlySet<string> = new Set(['flex']);
const OWN_TOOLS: ReadonlySet<unknown> = new Set(['function', 'custom']);
/** `web_search_preview`, `web_search_20250305` … */
const WEB_SEARCH = /^web_search/;
/** Tools that reach other servers, or stores in the provider's account. Only for models that list them. */
const LISTED_ONLY: ReadonlySet<string> = new Set(['mcp', 'file_search']);
const NONE: readonly PaidOption[] = [];

/** A 400 for an option that costs extra if the model has prices but none for it, and for tools that must be listed. */
export function unpricedOptionError(request: ChatCompletionRequest, model: Model): GatewayError | null {
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
  const tool = hostedTools(request).find(({ name }) => !price.hostedTools.has(name));
  if (!tool) return null;
  const message = `'${tool.param}' requests a tool that the provider runs and that has no price for this model. Remove it, or ask an administrator to add it to hostedTools of the model.`;
  return invalidRequest('unsupported_parameter', tool.param, message);
}

function unlistedToolError(request: ChatCompletionRequest, { price }: Model): GatewayError | null {
  const tool = hostedTools(request).find(({ name }) => LISTED_ONLY.has(name) && !price.hostedTools.has(name));
  if (!tool) return null;
  const message = `'${tool.param}' requests the tool '${tool.name}', which this model does not allow. Remove it, or ask an administrator to add it to hostedTools of the model.`;
  return invalidRequest('unsupported_parameter', tool.param, message);
}

/** The tools run by the provider, each with the first field that requests it. */
export function hostedTools(request: ChatCompletionRequest): readonly PaidOption[] {
  const { tools, web_search_options: search, search_parameters: live, plugins } = request;
  if (search === undefined && live === undefined && plugins === undefined && !hasHostedTool(tools)) return NONE;
  const asked: PaidOption[] = [];
  if (isAsked(search)) asked.push({ name: 'web_search', param: 'web_search_options' });
  if (isAsked(live) && modeOf(live) !== 'off') asked.push({ name: 'web_search', param: 'search_parameters' });
  if (Array.isArray(tools)) {
    tools.forEach((tool: unknown, index) => {
      const type = typeOf(tool);
      if (!OWN_TOOLS.has(type)) asked.push({ name: nameOf(type), param: `tools[${index}]` });
    });
  }
  if (Array.isArray(plugins)) {
    plugins.forEach((plugin: unknown, index) => {
      const id = typeof plugin === 'object' && plugin !== null && 'id' in plugin ? plugin.id : undefined;
      asked.push({ name: id === 'web' ? 'web_search' : nameOf(id), param: `plugins[${index}]` });
    });
  }
  return asked.filter(({ name }, index) => asked.findIndex((other) => other.name === name) === index);
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

function tierNamed(tier: unknown): string | null {
  return typeof tier === 'string' && !STANDARD_TIERS.has(tier) ? tier : null;
}

function surchargedTier(request: ChatCompletionRequest): PaidOption | null {
  const tier = tierOf(request);
  if (tier === null || CHEAPER_TIERS.has(tier)) return null;
  return { name: tier, param: tierNamed(request.service_tier) === null ? 'speed' : 'service_tier' };
}

/** A field of Anthropic's API that raises the price without a factor in models.yaml, or that is a second tier. */
function unpricedSurcharge({ service_tier: tier, speed, inference_geo: geo }: ChatCompletionRequest): string | null {
  if (tierNamed(tier) !== null && tierNamed(speed) !== null) return 'speed';
  return typeof geo === 'string' && geo !== 'global' ? 'inference_geo' : null;
}

function nameOf(type: unknown): string {
  const name = typeof type === 'string' ? type : 'unknown';
  return WEB_SEARCH.test(name) ? 'web_search' : name;
}

function modeOf(parameters: unknown): unknown {
  return typeof parameters === 'object' && parameters !== null && 'mode' in parameters ? parameters.mode : undefined;
}

function isAsked(option: unknown): boolean {
  return option !== undefined && option !== null && option !== false;
}
