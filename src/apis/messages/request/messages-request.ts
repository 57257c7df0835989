import { invalidRequest } from '../../../common/gateway.error.js';
import { faultAt, faultError, missing } from '../../../completions/dto/fault.js';
import { type FieldRule, isJsonObject, type JsonObject } from '../../../completions/dto/structure-checks.js';
import { refuseDenied } from './denied.js';
import type { MessagesRequest } from './messages.types.js';
import { COUNTED_FIELDS, MESSAGES_FIELDS } from './messages-request.fields.js';

/** Validates a parsed JSON body and returns it. Throws a `GatewayError` 400 that names the invalid field. */
export function toMessagesRequest(body: unknown): MessagesRequest {
  return checked(body, MESSAGES_FIELDS);
}

/** The same for `count_tokens`, which does not need `max_tokens`. */
export function toCountedRequest(body: unknown): MessagesRequest {
  return checked(body, COUNTED_FIELDS);
}

function checked(body: unknown, rules: ReadonlyMap<string, FieldRule>): MessagesRequest {
  if (!isJsonObject(body)) throw invalidRequest('invalid_type', null, 'The request body must be a JSON object.');
  refuseDenied(body);
  for (const [name, rule] of rules) refuseFault(name, rule, body);
  return body as unknown as MessagesRequest;
}

function refuseFault(name: string, { check, required, onNull }: FieldRule, body: JsonObject): void {
  const value = Object.hasOwn(body, name) ? body[name] : undefined;
  if (value === undefined) {
    if (required) throw faultError(faultAt(name, missing(check.expected)));
    return;
  }
  const fault = value === null && onNull !== 'refuse' ? null : check.faultIn(value);
  if (fault && !fault.isForeign) throw faultError(faultAt(name, fault));
}
