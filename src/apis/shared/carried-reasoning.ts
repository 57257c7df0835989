import { parseIfJson } from '../../json/exact-json.js';
import { isObject, type JsonObject } from '../../upstreams/contract/json.js';

/**
 * Fields of the inner form that a provider needs back with an answer's reasoning. `call`: `extra_content` of the next
 * tool call; `message`: vendor fields of the whole message (`extra_content`, `reasoning_details`). Adapters read only
 * their own provider's fields, so fields of other providers have no effect.
 */
export interface CarriedReasoning {
  readonly call?: JsonObject;
  readonly message?: JsonObject;
}

/** Distinguishes reasoning that the gateway encoded from reasoning that a provider encrypted or signed. */
const MARK = 'gw1_';

/** For `encrypted_content` or `signature`. Never empty. */
export function encodeReasoning(carried: CarriedReasoning): string {
  return MARK + Buffer.from(JSON.stringify(carried)).toString('base64url');
}

export function isOwnReasoning(text: unknown): text is string {
  return typeof text === 'string' && text.startsWith(MARK);
}

/** Empty for a text without our mark, or if it was changed. */
export function decodeReasoning(text: unknown): CarriedReasoning {
  if (!isOwnReasoning(text)) return {};
  const value = parseIfJson(Buffer.from(text.slice(MARK.length), 'base64url').toString());
  if (!isObject(value)) return {};
  return {
    ...(isObject(value.call) && { call: value.call }),
    ...(isObject(value.message) && { message: value.message }),
  };
}
