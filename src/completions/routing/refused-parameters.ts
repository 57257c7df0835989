import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { LiveTarget } from '../../models/model.types.js';
import type { ChatCompletionRequest } from '../chat.types.js';
import type { UpstreamFailure } from '../upstream/upstream.error.js';

/** The sampling fields that some models refuse, and that an answer can do without. */
const SAMPLING_FIELDS = ['temperature', 'top_p', 'stop', 'frequency_penalty', 'presence_penalty'] as const;
export type SamplingField = (typeof SAMPLING_FIELDS)[number];

const REFUSAL =
  /unsupported|not support|n't support|not enabled|deprecated|not allowed|not permitted|cannot (both )?be (set|used|specified)|may only be (set|used)|unknown|unrecognized|unexpected|extra (fields|inputs)/i;
const HOUR_MS = 3_600_000;
const MAX_REMEMBERED = 10_000;

/** Remembers for an hour which target refused which value of a sampling field. */
@Injectable()
export class RefusedParameters {
  private readonly refused = new LRUCache<string, true>({ max: MAX_REMEMBERED, ttl: HOUR_MS });

  /** The fields of a request that the target is known to refuse. */
  knownFor(target: LiveTarget, request: ChatCompletionRequest): SamplingField[] {
    if (this.refused.size === 0) return [];
    return SAMPLING_FIELDS.filter(
      (field) => isGiven(request, field) && this.refused.has(keyOf(target, request, field)),
    );
  }

  remember(target: LiveTarget, request: ChatCompletionRequest, field: SamplingField): void {
    this.refused.set(keyOf(target, request, field), true);
  }
}

/** The sampling field of the request that a 400 names as not supported, if it names one. */
export function refusedField(failure: UpstreamFailure, request: ChatCompletionRequest): SamplingField | undefined {
  const { status, message = '', param } = failure;
  if ((status !== 400 && status !== 422) || !REFUSAL.test(message)) return undefined;
  const given = SAMPLING_FIELDS.filter((field) => isGiven(request, field));
  return given.find((field) => param === field) ?? given.find((field) => names(message, field));
}

function isGiven(request: ChatCompletionRequest, field: SamplingField): boolean {
  return request[field] !== undefined && request[field] !== null;
}

/** In quotes of any kind, or as a word of its own; `stop` is too common a word to count without quotes. */
function names(message: string, field: SamplingField): boolean {
  if (new RegExp(`[\`'"]${field}[\`'"]`).test(message)) return true;
  return field !== 'stop' && new RegExp(`\\b${field}\\b`).test(message);
}

function keyOf(target: LiveTarget, request: ChatCompletionRequest, field: SamplingField): string {
  return JSON.stringify([target.upstream.name, target.upstreamModel, field, request[field]]);
}
