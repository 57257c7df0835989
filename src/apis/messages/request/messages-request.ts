import { bodyObject, refuseFaults } from '../../shared/checked-body.js';
import { refuseDenied } from './denied.js';
import type { MessagesRequest } from './messages.types.js';
import { countedRequest, messagesRequest } from './messages-request.fields.js';

/** Validates a parsed JSON body and returns it. Throws a `GatewayError` 400 that names the invalid field. */
export function toMessagesRequest(body: unknown, check = messagesRequest): MessagesRequest {
  const fields = bodyObject(body);
  refuseDenied(fields);
  refuseFaults(fields, check);
  return fields as unknown as MessagesRequest;
}

/** The same for `count_tokens`, which does not need `max_tokens`. */
export function toCountedRequest(body: unknown): MessagesRequest {
  return toMessagesRequest(body, countedRequest);
}
