import type { ChatCompletionRequest } from '../contract/chat.types.js';

const NONE: Readonly<Record<string, string>> = {};

/** The header that names the fields which were left out of a call to the client, each once. */
export function ignoredHeaders(fields: Iterable<string>): Readonly<Record<string, string>> {
  const named = [...new Set(fields)];
  return named.length > 0 ? { 'x-gateway-ignored-parameters': named.join(', ') } : NONE;
}

export function withoutFields(request: ChatCompletionRequest, fields: ReadonlySet<string>): ChatCompletionRequest {
  if (fields.size === 0) return request;
  const copy = { ...request };
  for (const field of fields) delete copy[field];
  return copy;
}
