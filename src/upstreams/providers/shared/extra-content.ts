import { isObject, type JsonObject } from '../../contract/json.js';

/** Fields of a vendor in `extra_content`: those of a tool call or a message survive in the SDKs, streamed or not. */
export type ExtraContent = { extra_content?: JsonObject };

/** What a tool call or a message of the history brings back of a vendor's fields; `{}` where it has none. */
export function extraContent(of: object | undefined, vendor: string): JsonObject {
  const extra: unknown = of && 'extra_content' in of ? of.extra_content : undefined;
  const fields = isObject(extra) ? extra[vendor] : undefined;
  return isObject(fields) ? fields : {};
}
