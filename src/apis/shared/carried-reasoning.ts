import { isObject, type JsonObject } from '../../upstreams/contract/json.js';

/**
 * What a provider needs back of an answer's reasoning, and the inner form carries beside it: `call` is the
 * `extra_content` of the tool call that follows, `message` the vendor fields of the whole message (`extra_content`,
 * `reasoning_details`). Adapters read only their own provider's fields, so those of another provider have no effect.
 */
export interface CarriedReasoning {
  readonly call?: JsonObject;
  readonly message?: JsonObject;
}

/** Tells reasoning that the gateway wrote from what a provider encrypted or signed itself. */
const MARK = 'gw1_';

/** As `encrypted_content` or `signature`; never empty. */
export function encodeReasoning(carried: CarriedReasoning): string {
  return MARK + Buffer.from(JSON.stringify(carried)).toString('base64url');
}

export function isOwnReasoning(text: unknown): text is string {
  return typeof text === 'string' && text.startsWith(MARK);
}

/** Nothing for a text that is not ours or was changed. */
export function decodeReasoning(text: unknown): CarriedReasoning {
  if (!isOwnReasoning(text)) return {};
  try {
    const value: unknown = JSON.parse(Buffer.from(text.slice(MARK.length), 'base64url').toString());
    if (!isObject(value)) return {};
    return {
      ...(isObject(value.call) && { call: value.call }),
      ...(isObject(value.message) && { message: value.message }),
    };
  } catch {
    return {};
  }
}
