import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { EFFORTS, type ModelTraits } from '../../config/models.settings.js';
import type { ChatCompletionRequest } from '../../upstreams/contract/chat.types.js';
import { isObject } from '../../upstreams/contract/json.js';
import type { NativeBody } from '../../upstreams/contract/native.body.js';
import type { UpstreamFailure } from '../../upstreams/contract/upstream.error.js';
import type { LiveTarget } from '../../upstreams/target.types.js';

/** Optional sampling fields that some models refuse. */
const SAMPLING_FIELDS = ['temperature', 'top_p', 'top_k', 'stop', 'frequency_penalty', 'presence_penalty'] as const;
export type SamplingField = (typeof SAMPLING_FIELDS)[number];
const RANDOMNESS = ['temperature', 'top_p', 'top_k'] as const;
const PENALTIES = ['frequency_penalty', 'presence_penalty'] as const;

const REFUSAL =
  /unsupported|not support|n't support|not enabled|deprecated|not allowed|not permitted|cannot (both )?be (set|used|specified)|may only be (set|used)|unknown|unrecognized|unexpected|extra (fields|inputs)/i;
const HOUR_MS = 3_600_000;
const MAX_REMEMBERED = 10_000;

@Injectable()
export class RefusedParameters {
  private readonly refused = new LRUCache<string, true>({ max: MAX_REMEMBERED, ttl: HOUR_MS });

  /** `native`: the client's own request, if it is sent instead. */
  knownFor(target: LiveTarget, request: ChatCompletionRequest, native: NativeBody | null = null): SamplingField[] {
    if (this.refused.size === 0) return [];
    const place = placeOf(target, native);
    const given = SAMPLING_FIELDS.filter((field) => isGiven(request, field));
    return given.filter(
      (field) =>
        this.refused.has(keyOfField(place, request, field)) ||
        given.some((other) => other !== field && this.refused.has(keyOfPair(place, field, other))),
    );
  }

  /** A pair of conflicting fields is remembered for all values. */
  remember(
    target: LiveTarget,
    request: ChatCompletionRequest,
    { field, beside }: Pick<RefusedField, 'field' | 'beside'>,
    native: NativeBody | null = null,
  ): void {
    const place = placeOf(target, native);
    this.refused.set(beside ? keyOfPair(place, field, beside) : keyOfField(place, request, field), true);
  }
}

/** The given sampling fields that the model does not accept, as declared. Zero penalties are none. */
export function declaredRefusals(
  { sampling, penalties }: ModelTraits,
  request: ChatCompletionRequest,
): SamplingField[] {
  const refused = sampling === false ? RANDOMNESS.filter((field) => isGiven(request, field)) : [];
  return penalties === false ? [...refused, ...PENALTIES.filter((field) => request[field])] : refused;
}

export interface RefusedField {
  field: SamplingField;
  /** The field with which it conflicts; null: it is refused on its own. */
  beside: SamplingField | null;
  /** Whether the upstream certainly named the field and did not quote text of the request. */
  isCertain: boolean;
}

/** Finds the sampling field that a 400 or 422 names as unsupported. */
export function refusedField(failure: UpstreamFailure, request: ChatCompletionRequest): RefusedField | undefined {
  const { status, message = '', param, paramIsStructured = false } = failure;
  if ((status !== 400 && status !== 422) || !REFUSAL.test(message)) return undefined;
  const given = SAMPLING_FIELDS.filter((field) => isGiven(request, field));
  const named = given.find((field) => param === field);
  if (paramIsStructured && !named) return undefined;
  const excluding = rivals(message, request);
  const [beside = null] = excluding;
  const rival = excluding.at(-1);
  if (rival) return { field: rival, beside, isCertain: !isOfRequest(request, excluding) };
  const field = named ?? given.find((name) => names(message, name));
  return field && { field, beside: null, isCertain: paramIsStructured || !isOfRequest(request, [field]) };
}

/** Whether one of these names occurs elsewhere in the request: the upstream may only have quoted it. */
function isOfRequest(request: ChatCompletionRequest, fields: readonly SamplingField[]): boolean {
  const rest = Object.entries(request).map(([name, value]) =>
    fields.some((field) => field === name) ? value : [name, value],
  );
  return fields.some((field) => mentions(rest, field));
}

/**
 * Fields that exclude each other according to the message; the first one is kept. Claude's API says "`temperature` and
 * `top_p` cannot both be specified for this model. Please use only one.", and recommends temperature.
 */
function rivals(message: string, request: ChatCompletionRequest): SamplingField[] {
  if (!/\bboth\b/i.test(message)) return [];
  const named = SAMPLING_FIELDS.filter((field) => isGiven(request, field) && names(message, field));
  return named.length > 1 ? named : [];
}

function isGiven(request: ChatCompletionRequest, field: SamplingField): boolean {
  return request[field] !== undefined && request[field] !== null;
}

/** In quotes or as a separate word. `stop` only counts in quotes, as it is a common word. */
function names(message: string, field: SamplingField): boolean {
  if (new RegExp(`[\`'"]${field}[\`'"]`).test(message)) return true;
  return field !== 'stop' && new RegExp(`\\b${field}\\b`).test(message);
}

/** What a model accepts also depends on the version of a native API, which the client's headers name. */
function placeOf({ upstream, upstreamModel }: LiveTarget, native: NativeBody | null): readonly unknown[] {
  return [upstream.name, upstreamModel, native?.headers ?? null];
}

function keyOfPair(place: readonly unknown[], field: SamplingField, other: SamplingField): string {
  return JSON.stringify([...place, field, 'beside', other]);
}

/** Some models refuse a field only while they reason. */
function keyOfField(place: readonly unknown[], request: ChatCompletionRequest, field: SamplingField): string {
  const reasons = request.reasoning_effort !== 'none';
  return JSON.stringify([...place, field, request[field], reasons]);
}

function mentions(value: unknown, word: string): boolean {
  if (typeof value === 'string') return value.includes(word);
  if (Array.isArray(value)) return value.some((item) => mentions(item, word));
  if (!isObject(value)) return false;
  return Object.entries(value).some(
    ([key, inner]) => inner !== undefined && (key.includes(word) || mentions(inner, word)),
  );
}

const MAX_TARGETS = 10_000;

type LearnedTraits = Partial<ModelTraits>;

/** Remembers for an hour what the model of a target turned out not to accept, as if its row in models.yaml declared it. */
@Injectable()
export class LearnedTraitsService {
  private readonly learned = new LRUCache<string, LearnedTraits>({ max: MAX_TARGETS, ttl: HOUR_MS, noUpdateTTL: true });

  /** Undefined: nothing is known. */
  knownFor(target: LiveTarget): LearnedTraits | undefined {
    return this.learned.size > 0 ? this.learned.get(keyOfTarget(target)) : undefined;
  }

  remember(target: LiveTarget, traits: LearnedTraits): void {
    this.learned.set(keyOfTarget(target), { ...this.knownFor(target), ...traits });
  }
}

export interface RefusedTrait {
  readonly traits: LearnedTraits;
  /** Whether the message cannot be a quotation from the request. */
  readonly isCertain: boolean;
}

interface TraitRefusal {
  readonly message: RegExp;
  readonly traits: LearnedTraits | ((found: RegExpExecArray) => LearnedTraits);
}

const REFUSALS: readonly TraitRefusal[] = [
  // 'tool_choice.type: "any" is not supported for this model. Use "auto" or "none".' (Anthropic), "This model doesn't
  // support the toolConfig.toolChoice.any field." (Bedrock)
  {
    message: /\btool_?choice\b.{0,60}?n[o']t support|n[o']t support.{0,60}?\btool_?choice\b/is,
    traits: { forcedTools: false },
  },
  // "The model returned the following errors: output_config.format: Extra inputs are not permitted", or
  // "tools.0.custom.strict: …", "This model doesn't support the outputConfig field." (Bedrock)
  {
    message:
      /\b(?:output_config\.format|tools\.\d+\.(?:custom\.)?strict): Extra inputs are not permitted|n[o']t support the outputConfig\b/i,
    traits: { strictSchemas: false },
  },
  // '"thinking.type.disabled" is not supported for this model. Use "thinking.type.adaptive" and "output_config.effort"'
  { message: /thinking\.type\.(?:disabled|enabled)\b.{0,20}?not support/is, traits: { thinking: 'always' } },
  // "This model does not support effort level 'xhigh'. Supported levels: high, low, max, medium." (Anthropic),
  // "Unsupported value: 'reasoning_effort' does not support 'none' with this model. Supported values are: 'low', …" (OpenAI)
  {
    message: /\b(?:reasoning[._])?effort\b.{0,80}?supported (?:levels|values)(?: are)?:([^.]*)/is,
    traits: ([, list = '']) => ({ efforts: EFFORTS.filter((effort) => new RegExp(`\\b${effort}\\b`).test(list)) }),
  },
];

/** What a model does not accept according to a refusal of a translated request; undefined: the refusal says nothing. */
export function refusedTrait(
  { status, message = '' }: UpstreamFailure,
  request: ChatCompletionRequest,
): RefusedTrait | undefined {
  if (status !== 400 && status !== 422) return undefined;
  for (const { message: words, traits } of REFUSALS) {
    const found = words.exec(message);
    if (found === null) continue;
    const isQuoted = words.test(JSON.stringify(request));
    return { traits: typeof traits === 'function' ? traits(found) : traits, isCertain: !isQuoted };
  }
  return undefined;
}

function keyOfTarget({ upstream, upstreamModel }: LiveTarget): string {
  return JSON.stringify([upstream.name, upstreamModel]);
}
