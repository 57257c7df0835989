import type { ChatCompletionRequest } from '../contract/chat.types.js';

const HEADER = 'x-gateway-ignored-parameters';

/** Names the fields that were left out of a call to the client, in `x-gateway-ignored-parameters`. */
export function tellIgnored(call: { readonly replyHeaders: Record<string, string> }, fields: readonly string[]): void {
  if (fields.length > 0) call.replyHeaders[HEADER] = fields.join(', ');
}

/** Names further ones. */
export function addIgnored(headers: Record<string, string>, fields: readonly string[]): void {
  const named = headers[HEADER]?.split(', ') ?? [];
  const others = fields.filter((field) => !named.includes(field));
  if (others.length > 0) headers[HEADER] = [...named, ...others].join(', ');
}

export function withoutFields(request: ChatCompletionRequest, fields: ReadonlySet<string>): ChatCompletionRequest {
  if (fields.size === 0) return request;
  const copy = { ...request };
  for (const field of fields) delete copy[field];
  return copy;
}
