import { invalidRequest } from '../../common/gateway.error.js';
import { type Check, type Fault, faultError, text } from '../../completions/formats/checks.js';
import { isDeniedField } from '../../completions/formats/denied-fields.js';
import { isJsonObject, type JsonObject } from '../../completions/formats/structure.checks.js';
import { paidFields } from '../../limits/paid-options.js';
import type { ChatCompletionRequest } from '../../upstreams/contract/chat.types.js';
import type { NativeBody } from '../../upstreams/contract/native.body.js';
import { withNativeForm } from '../../upstreams/tokens/native-walk.js';

export const modelId = text({ min: 1, max: 256, expected: 'a model id of 1 to 256 characters' });

/** Throws a 400 for a parsed body that is not an object. */
export function bodyObject(body: unknown): JsonObject {
  if (!isJsonObject(body)) throw invalidRequest('invalid_type', null, 'The request body must be a JSON object.');
  return body;
}

/** Throws a 400 that names the first invalid field. Returns the first value that only some providers know. */
export function refuseFaults(body: JsonObject, check: Check): Fault | null {
  const found = check.faultIn(body);
  if (found === null) return null;
  const fault = { ...found, path: found.path.replace(/^\./, '') };
  if (!fault.isForeign) throw faultError(fault);
  return fault;
}

/** The fields that upstreams receive. */
export function sentFields(body: JsonObject, leftOut: ReadonlySet<string> = new Set()): JsonObject {
  const sent = Object.entries(body).filter(
    ([name, value]) => value !== null && !leftOut.has(name) && !isDeniedField(name),
  );
  return Object.fromEntries(sent);
}

/**
 * The request that is charged: with the sent fields that the API does not know, as servers of some makes read them.
 * `own`: the field of the API with what `request` has as messages.
 */
export function withUnreadFields(
  request: ChatCompletionRequest,
  api: NativeBody['api'],
  sent: JsonObject,
  known: ReadonlySet<string>,
  own: string,
): ChatCompletionRequest {
  const unread = Object.entries(sent).filter(([name]) => !known.has(name));
  if (unread.length === 0) return request;
  const fields = { ...Object.fromEntries(unread), [own]: request.messages };
  return withNativeForm({ ...paidFields(sent), ...request }, { api, fields });
}
