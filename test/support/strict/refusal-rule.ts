import type { ReadonlyJsonObject } from '../../../src/upstreams/contract/json.js';
import type { ReceivedRequest } from '../received-request.js';

/** What a provider answers to a request that breaks one of its rules. */
export interface Refusal {
  readonly status: number;
  readonly message: string;
  /** The field, where the provider names it separately. */
  readonly param?: string;
  readonly code?: string;
}

/** One thing that a provider refuses, in its own words. */
export interface RefusalRule {
  /** For example "a tool result without its call". */
  readonly refuses: string;
  /** Where the rule can be read: a page, an issue, or a recorded answer. */
  readonly source: string;
  /** A message is a 400. */
  check(body: ReadonlyJsonObject, request: ReceivedRequest): Refusal | string | null | undefined;
}

/** The refusal of the first rule that the request breaks. */
export function refusalOf(
  rules: readonly RefusalRule[],
  body: ReadonlyJsonObject,
  request: ReceivedRequest,
): Refusal | null {
  for (const rule of rules) {
    const refusal = rule.check(body, request);
    if (refusal) return typeof refusal === 'string' ? { status: 400, message: refusal } : refusal;
  }
  return null;
}

/** The fields of an object that a list does not have. */
export function unknownFields(object: ReadonlyJsonObject, known: ReadonlySet<string>): string[] {
  return Object.keys(object).filter((name) => !known.has(name));
}

export function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.split(' '));
}
