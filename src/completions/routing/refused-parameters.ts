import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { ChatCompletionRequest } from '../../upstreams/contract/chat.types.js';
import { isObject } from '../../upstreams/contract/json.js';
import type { UpstreamFailure } from '../../upstreams/contract/upstream.error.js';
import type { LiveTarget } from '../../upstreams/targets/target.types.js';

/** Optional sampling fields that some models refuse. */
const SAMPLING_FIELDS = ['temperature', 'top_p', 'top_k', 'stop', 'frequency_penalty', 'presence_penalty'] as const;
export type SamplingField = (typeof SAMPLING_FIELDS)[number];

const REFUSAL =
  /unsupported|not support|n't support|not enabled|deprecated|not allowed|not permitted|cannot (both )?be (set|used|specified)|may only be (set|used)|unknown|unrecognized|unexpected|extra (fields|inputs)/i;
const HOUR_MS = 3_600_000;
const MAX_REMEMBERED = 10_000;

@Injectable()
export class RefusedParameters {
  private readonly refused = new LRUCache<string, true>({ max: MAX_REMEMBERED, ttl: HOUR_MS });

  knownFor(target: LiveTarget, request: ChatCompletionRequest): SamplingField[] {
    if (this.refused.size === 0) return [];
    const given = SAMPLING_FIELDS.filter((field) => isGiven(request, field));
    return given.filter(
      (field) =>
        this.refused.has(keyOf(target, request, field)) ||
        given.some((other) => other !== field && this.refused.has(keyOfPair(target, field, other))),
    );
  }

  /** A pair of conflicting fields is remembered for all values. */
  remember(
    target: LiveTarget,
    request: ChatCompletionRequest,
    { field, beside }: Pick<RefusedField, 'field' | 'beside'>,
  ): void {
    this.refused.set(beside ? keyOfPair(target, field, beside) : keyOf(target, request, field), true);
  }
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

function keyOfPair(target: LiveTarget, field: SamplingField, other: SamplingField): string {
  return JSON.stringify([target.upstream.name, target.upstreamModel, field, 'beside', other]);
}

function keyOf(target: LiveTarget, request: ChatCompletionRequest, field: SamplingField): string {
  return JSON.stringify([target.upstream.name, target.upstreamModel, field, request[field]]);
}

function mentions(value: unknown, word: string): boolean {
  if (typeof value === 'string') return value.includes(word);
  if (Array.isArray(value)) return value.some((item) => mentions(item, word));
  if (!isObject(value)) return false;
  return Object.entries(value).some(
    ([key, inner]) => inner !== undefined && (key.includes(word) || mentions(inner, word)),
  );
}
