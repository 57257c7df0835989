import type { ChatCompletionRequest } from '../contract/chat.types.js';

const NONE: Readonly<Record<string, string>> = {};
/** Clients choose the names of unknown fields, which may be invalid in a header or too long for it. */
const PRINTABLE = /^[\w.[\]-]{1,100}$/;
const MAX_NAMED = 40;

/** The response header that names the fields left out of the upstream request. */
export function ignoredHeaders(fields: readonly string[]): Readonly<Record<string, string>> {
  const named = [...new Set(fields)].filter((field) => PRINTABLE.test(field)).slice(0, MAX_NAMED);
  return named.length > 0 ? { 'x-gateway-ignored-parameters': named.join(', ') } : NONE;
}

export function withoutFields(request: ChatCompletionRequest, fields: ReadonlySet<string>): ChatCompletionRequest {
  if (fields.size === 0) return request;
  const copy = { ...request };
  for (const field of fields) delete copy[field];
  return copy;
}
