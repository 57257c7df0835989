import { invalidRequest } from '../../common/gateway.error.js';
import type { ChatCompletionRequest } from '../../upstreams/contract/chat.types.js';
import { CHAT_REQUEST_FIELDS, REQUIRED_FIELDS } from './chat-completion-request.fields.js';
import { isDeniedField } from './denied-fields.js';
import { faultAt, faultError, missing } from './fault.js';
import { noteForeignValue } from './foreign-values.js';
import { type FieldRule, isJsonObject, type JsonObject } from './structure-checks.js';

/**
 * Validates a parsed JSON body. Throws a `GatewayError` 400 that names the invalid field.
 *
 * The request has the body's top-level fields, including unknown ones, and shares their values. It leaves out denied
 * fields, nulls where the format has no null, and `stream_options` if the request does not stream (some clients always
 * send it, and some upstreams refuse that).
 */
export function toChatRequest(body: unknown): ChatCompletionRequest {
  if (!isJsonObject(body)) throw invalidRequest('invalid_type', null, 'The request body must be a JSON object.');
  refuseMissing(body);
  const request: JsonObject = {};
  for (const name of Object.keys(body)) {
    const value = body[name];
    const rule = CHAT_REQUEST_FIELDS.get(name);
    if (rule) refuseFault(rule, name, value, request);
    if (rule ? isForwarded(rule, name, value) : !isDeniedField(name)) request[name] = value;
  }
  refuseConflicts(body);
  if (request.stream_options !== undefined && body.stream !== true) delete request.stream_options;
  return request as ChatCompletionRequest;
}

function refuseMissing(body: JsonObject): void {
  for (const name of REQUIRED_FIELDS) {
    const expected = CHAT_REQUEST_FIELDS.get(name)?.check.expected ?? '';
    if (body[name] === undefined) throw faultError(faultAt(name, missing(expected)));
  }
}

function refuseFault({ check, onNull }: FieldRule, name: string, value: unknown, request: JsonObject): void {
  const fault = value === null && onNull !== 'refuse' ? null : check.faultIn(value);
  if (fault?.isForeign) noteForeignValue(request, faultAt(name, fault));
  else if (fault) throw faultError(faultAt(name, fault));
}

function refuseConflicts({ logprobs, top_logprobs }: JsonObject): void {
  if (Number(top_logprobs ?? 0) > 0 && logprobs !== true) {
    const message = "Invalid value for 'top_logprobs': it is only allowed when 'logprobs' is true.";
    throw invalidRequest('invalid_value', 'top_logprobs', message);
  }
}

function isForwarded({ onNull }: FieldRule, name: string, value: unknown): boolean {
  if (name === 'stop' && Array.isArray(value) && value.length === 0) return false;
  return value !== null || onNull === 'keep';
}
