import { type GatewayError, invalidRequest } from '../../common/gateway.error.js';
import type { ChatCompletionRequest, ContentPart } from '../../upstreams/contract/chat.types.js';
import type { Capability } from '../../upstreams/contract/provider.adapter.js';

export type Feature = 'image_input' | 'tools' | 'reasoning' | Exclude<Capability, 'functions'>;

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
  tool_images: ['accept an image in a tool result', 'Send the image in a user message'],
  audio_input: ['accept audio input', 'Leave the audio out'],
  file_input: ['accept file input', 'Leave the file out'],
  audio_output: ['answer with audio', 'Ask for text only'],
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
  const declared = (ofProvider as Readonly<Partial<Record<Feature, boolean>>>)[feature];
  return feature === 'tool_images' ? declared !== true : declared === false;
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
  return requested;
}

function customTools({ tools, tool_choice }: ChatCompletionRequest): UnsupportedFeature[] {
  const index = tools?.findIndex(({ type }) => type === 'custom') ?? -1;
  if (index >= 0) return [{ feature: 'custom_tools', param: `tools[${index}]`, removableFields: [] }];
  const isChosen = typeof tool_choice === 'object' && tool_choice.type === 'custom';
  return isChosen ? [{ feature: 'custom_tools', param: 'tool_choice', removableFields: ['tool_choice'] }] : [];
}

const PART_FEATURES: readonly Feature[] = ['image_input', 'image_address', 'tool_images', 'audio_input', 'file_input'];

function partFeatures({ messages }: ChatCompletionRequest): UnsupportedFeature[] {
  const first = new Map<Feature, UnsupportedFeature>();
  messages.forEach(({ role, content }, message) => {
    if ((role !== 'user' && role !== 'tool') || !Array.isArray(content)) return;
    content.forEach((part, index) => {
      const path = `messages[${message}].content[${index}]`;
      const needs = partNeeds(part, path);
      if (role === 'tool' && part.type === 'image_url') needs.push(['tool_images', path]);
      for (const [feature, param] of needs) {
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
