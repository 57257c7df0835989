import type { ChatCompletionRequest } from '../contract/chat.types.js';

const NONE: Readonly<Record<string, string>> = {};

/** The response header that names the fields left out of the upstream request. */
export function ignoredHeaders(fields: readonly string[]): Readonly<Record<string, string>> {
  return fields.length > 0 ? { 'x-gateway-ignored-parameters': [...new Set(fields)].join(', ') } : NONE;
}

export function withoutFields(request: ChatCompletionRequest, fields: ReadonlySet<string>): ChatCompletionRequest {
  if (fields.size === 0) return request;
  const copy = { ...request };
  for (const field of fields) delete copy[field];
  return copy;
}
