import { Injectable } from '@nestjs/common';
import { type GatewayError, invalidRequest } from '../../common/gateway.error.js';
import { InjectSettings, type Settings } from '../../config/settings.js';
import type { Model } from '../../models/model.types.js';
import type { ChatCompletionRequest, ContentPart } from '../../upstreams/contract/chat.types.js';
import type { NativeBody } from '../../upstreams/contract/native.body.js';
import type { Capability } from '../../upstreams/contract/provider.adapter.js';
import type { LiveTarget } from '../../upstreams/target.types.js';
import { UpstreamAccesses } from '../../upstreams/upstream-access.js';
import type { NativeRequest } from '../formats/call-format.js';
import { faultError, foreignValueIn } from '../formats/checks.js';
import { pathInRequest, servedMessages } from './served-messages.js';

export interface Servable {
  /** Null: the model is simulated. */
  readonly target: LiveTarget | null;
  readonly request: ChatCompletionRequest;
  /** The client's own request, for a target with the client's API; null: the target gets `request`. */
  readonly native: NativeBody | null;
  readonly ignored: readonly string[];
  /** Of a field that an error about `request` names, the path in the client's call in the inner form. */
  readonly pathOf?: (path: string) => string;
}

/** A request in the inner form and, if there can be native targets, in the client's form. */
export interface RequestForms {
  readonly request: ChatCompletionRequest;
  readonly native: NativeRequest | null;
}

const NONE: readonly string[] = [];
/** For native requests only the model's own capabilities are checked. */
const ANY_CONTENT = {};

/** Finds the targets of a model that can serve a request. Unsupported fields are refused or left out. */
@Injectable()
export class ServableTargets {
  constructor(
    private readonly accesses: UpstreamAccesses,
    @InjectSettings() private readonly settings: Settings,
  ) {}

  /** Throws the first target's error if no target can serve the request. */
  of(forms: RequestForms, model: Model): readonly Servable[] {
    const [first = null, ...others] = model.targets;
    const judged = this.judge(forms, model, first);
    if (others.length === 0) {
      if ('request' in judged) return [judged];
      throw judged;
    }
    const servable = this.ofFallback(forms, model);
    if (servable.length === 0) throw judged;
    return servable;
  }

  /** Empty if the fallback model cannot serve the request. */
  ofFallback(forms: RequestForms, model: Model): readonly Servable[] {
    return model.targets.map((target) => this.judge(forms, model, target)).filter((one) => 'request' in one);
  }

  private judge({ request, native }: RequestForms, model: Model, target: LiveTarget | null): Servable | GatewayError {
    if (native && this.takes(native.body, target)) {
      const unsupported = unsupportedFeatures(request, model, ANY_CONTENT).find(
        ({ param }) => !native.optional?.has(param),
      );
      if (unsupported) return unsupportedFeatureError(model.id, unsupported);
      return { target, request, native: native.body, ignored: native.leftOut ?? NONE };
    }
    if (native?.untranslatable) return native.untranslatable;
    const fitting = native?.capsOutput ? withModelsLimit(request, model) : request;
    return this.translated({ request: fitting, native }, model, target);
  }

  private translated(
    { request, native }: RequestForms,
    model: Model,
    target: LiveTarget | null,
  ): Servable | GatewayError {
    const adapter = target && this.accesses.get(target.upstream).adapter;
    const optional = native?.optional;
    const lost = native ? [...(native.leftOut ?? NONE), ...native.untranslated] : NONE;
    const untranslated = adapter?.takesCacheMarks ? lost.filter((path) => path !== 'cache_control') : lost;
    const foreign = adapter?.takesForeignValues ? undefined : foreignValueIn(request);
    if (foreign) return faultError(foreign);
    const unsupported = unsupportedFeatures(request, model, adapter?.capabilities ?? {});
    const moved = servedMessages(request.messages, adapter?.capabilities.tool_images === true);
    const pathOf = moved && { pathOf: (path: string) => pathInRequest(path, moved, request.messages) };
    if (unsupported.length === 0 && !moved) return { target, request, native: null, ignored: untranslated };
    const served = { ...request };
    if (moved) Object.assign(served, { messages: moved.messages });
    const ignored = [...untranslated];
    for (const feature of unsupported) {
      const isNeeded = this.settings.unsupported === 'reject' && !optional?.has(feature.param);
      if (isNeeded || feature.removableFields.length === 0) {
        return unsupportedFeatureError(model.id, feature);
      }
      const given = feature.removableFields.filter((field) => field in served);
      for (const field of given) delete served[field];
      ignored.push(...given.map((field) => optional?.get(field) ?? field));
    }
    return { target, request: served, native: null, ignored, ...pathOf };
  }

  /** The simulator (`null`) also supports embeddings, which are always native. */
  private takes(body: NativeBody, target: LiveTarget | null): boolean {
    return target === null ? body.api === 'embeddings' : this.accesses.takes(body, target);
  }
}

function withModelsLimit(request: ChatCompletionRequest, { maxOutputTokens: limit }: Model): ChatCompletionRequest {
  return limit !== null && (request.max_tokens ?? 0) > limit ? { ...request, max_tokens: limit } : request;
}

export type Feature = 'image_input' | 'tools' | 'reasoning' | Exclude<Capability, 'functions' | 'tool_images'>;

export interface UnsupportedFeature {
  readonly feature: Feature;
  readonly param: string;
  /** The top-level fields to remove so that the feature is not requested; empty if it is part of a list. */
  readonly removableFields: readonly string[];
}

type ProviderCapabilities = Readonly<Partial<Record<Capability, boolean>>>;

/**
 * Requested features that the model or the upstream's adapter does not support: an entry for each top-level field, and
 * for the first tool or content part of each kind. If a model lists no capabilities, or an adapter does not declare
 * one, support is unknown and the feature is not returned.
 */
export function unsupportedFeatures(
  request: ChatCompletionRequest,
  model: { readonly capabilities: readonly string[] | null },
  provider: ProviderCapabilities,
): UnsupportedFeature[] {
  const lacks = (feature: Feature) => isLacking(feature, model.capabilities, provider);
  const requested = optionFeatures(request);
  if (lacks('custom_tools')) requested.push(...customTools(request));
  if (PART_FEATURES.some(lacks)) requested.push(...partFeatures(request));
  return requested.filter(({ feature }) => lacks(feature));
}

export function unsupportedFeatureError(modelId: string, { feature, param }: UnsupportedFeature): GatewayError {
  const [action, remedy] = FEATURE_WORDS[feature];
  const message = `The model '${printable(modelId)}' does not ${action}. ${remedy} or choose another model.`;
  return invalidRequest('unsupported_value', param, message);
}

const FEATURE_WORDS: Readonly<Record<Feature, readonly [action: string, remedy: string]>> = {
  image_input: ['accept image input', 'Leave the image out'],
  image_address: ['accept the address of an image', "Send the image as a base64 'data:' URL"],
  audio_input: ['accept audio input', 'Leave the audio out'],
  file_input: ['accept file input', 'Leave the file out'],
  audio_output: ['answer with audio', 'Ask for text only'],
  image_output: ['answer with images', 'Ask for text only'],
  tools: ['call tools', 'Leave the tools out'],
  custom_tools: ['call custom tools', 'Use a function tool'],
  reasoning: ['accept a reasoning effort', "Leave 'reasoning_effort' out"],
  json_object: ['answer in JSON mode', "Leave 'response_format' out"],
  json_schema: ['follow a JSON schema', "Leave 'response_format' out"],
  multiple_choices: ['return more than one choice', "Leave 'n' out"],
  logprobs: ['return log probabilities', "Leave 'logprobs' out"],
  logit_bias: ['accept a logit bias', "Leave 'logit_bias' out"],
  web_search: ['search the web', "Leave 'web_search_options' out"],
};

const CATALOG_FEATURES: ReadonlySet<Feature> = new Set<Feature>(['image_input', 'tools', 'reasoning']);

function isLacking(feature: Feature, ofModel: readonly string[] | null, ofProvider: ProviderCapabilities): boolean {
  if (CATALOG_FEATURES.has(feature)) return ofModel !== null && !ofModel.includes(feature);
  return (ofProvider as Readonly<Partial<Record<Feature, boolean>>>)[feature] === false;
}

function optionFeatures(request: ChatCompletionRequest): UnsupportedFeature[] {
  const requested: UnsupportedFeature[] = [];
  const add = (feature: Feature, param: string, ...others: string[]) =>
    requested.push({ feature, param, removableFields: [param, ...others] });

  if (isFilled(request.tools)) add('tools', 'tools', 'tool_choice', 'parallel_tool_calls');
  if (isFilled(request.functions)) add('tools', 'functions', 'function_call');
  if (isSet(request.reasoning_effort) && request.reasoning_effort !== 'none') add('reasoning', 'reasoning_effort');
  const format = request.response_format?.type;
  if (format === 'json_object' || format === 'json_schema') add(format, 'response_format');
  if ((request.n ?? 1) > 1) add('multiple_choices', 'n');
  if (request.logprobs === true) add('logprobs', 'logprobs', 'top_logprobs');
  if (isFilled(request.logit_bias)) add('logit_bias', 'logit_bias');
  if (isSet(request.web_search_options)) add('web_search', 'web_search_options');
  if (Array.isArray(request.modalities) && request.modalities.includes('audio')) {
    add('audio_output', 'modalities', 'audio');
  } else if (isSet(request.audio)) {
    add('audio_output', 'audio');
  }
  if (Array.isArray(request.modalities) && request.modalities.includes('image')) add('image_output', 'modalities');
  return requested;
}

function customTools({ tools, tool_choice }: ChatCompletionRequest): UnsupportedFeature[] {
  const index = tools?.findIndex(({ type }) => type === 'custom') ?? -1;
  if (index >= 0) return [{ feature: 'custom_tools', param: `tools[${index}]`, removableFields: [] }];
  const isChosen = typeof tool_choice === 'object' && tool_choice.type === 'custom';
  return isChosen ? [{ feature: 'custom_tools', param: 'tool_choice', removableFields: ['tool_choice'] }] : [];
}

const PART_FEATURES: readonly Feature[] = ['image_input', 'image_address', 'audio_input', 'file_input'];

function partFeatures({ messages }: ChatCompletionRequest): UnsupportedFeature[] {
  const first = new Map<Feature, UnsupportedFeature>();
  messages.forEach(({ role, content }, message) => {
    if ((role !== 'user' && role !== 'tool') || !Array.isArray(content)) return;
    content.forEach((part, index) => {
      const path = `messages[${message}].content[${index}]`;
      for (const [feature, param] of partNeeds(part, path)) {
        if (!first.has(feature)) first.set(feature, { feature, param, removableFields: [] });
      }
    });
  });
  return [...first.values()];
}

function partNeeds(part: ContentPart, path: string): [feature: Feature, param: string][] {
  switch (part.type) {
    case 'image_url': {
      const isAddress = part.image_url.url.slice(0, 5).toLowerCase() !== 'data:';
      const image: [Feature, string] = ['image_input', path];
      return isAddress ? [image, ['image_address', `${path}.image_url.url`]] : [image];
    }
    case 'input_audio':
      return [['audio_input', path]];
    case 'file':
      return [['file_input', path]];
    default:
      return [];
  }
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function isFilled(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0;
}

/** At most 100 characters, without control or bidirectional formatting characters. */
function printable(modelId: string): string {
  return modelId.slice(0, 100).replace(/[^\p{L}\p{N}\p{P}\p{S} ]/gu, '');
}
