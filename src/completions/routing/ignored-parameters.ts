import type { ChatCompletionRequest } from '../chat.types.js';
import type { CompletionCall } from '../completion.call.js';

/** Names the fields that were left out of a call to the client, in `x-gateway-ignored-parameters`. */
export function tellIgnored(call: CompletionCall, fields: readonly string[]): void {
  if (fields.length > 0) call.replyHeaders['x-gateway-ignored-parameters'] = fields.join(', ');
}

export function withoutFields(request: ChatCompletionRequest, fields: ReadonlySet<string>): ChatCompletionRequest {
  if (fields.size === 0) return request;
  const copy = { ...request };
  for (const field of fields) delete copy[field];
  return copy;
}
