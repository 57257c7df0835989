import { parseIfJson } from '../../../json/parse-if-json.js';
import { isObject, objectOf } from '../../contract/json.js';
import type { UpstreamFailure } from '../../contract/upstream.error.js';
import { type ErrorFacts, errorFacts } from '../openai/error-facts.js';

/**
 * The provider's own error. `metadata.raw` has its body as text, next to the router's "Provider returned error" and a
 * status as `code`.
 */
export function providersError(body: unknown): unknown {
  if (!isObject(body)) return body;
  const error = isObject(body.error) ? body.error : body;
  const { raw } = objectOf(error.metadata);
  if (!raw) return body;
  const { message, type, param, code } = errorFacts(typeof raw === 'string' ? parseIfJson(raw) : raw);
  return {
    status: error.code,
    message: message ?? error.message,
    type: type ?? error.type,
    param: param ?? error.param,
    code: code ?? error.code,
  };
}

/** Moderation has the same status as a bad credential. */
export function refineFailure(failure: UpstreamFailure, { message = '' }: ErrorFacts): UpstreamFailure {
  if (failure.status !== 403 || !/\bflagged\b/i.test(message)) return failure;
  return { ...failure, status: 400, code: 'content_filter', message: 'The input was flagged by moderation.' };
}
