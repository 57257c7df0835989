import { type JsonObject, objectOf } from '../../contract/json.js';

/** Vendor fields in `extra_content`, which SDKs preserve in tool calls and messages, streamed or not. */
export type ExtraContent = { extra_content?: JsonObject };

/** A vendor's fields in an earlier tool call or message; `{}` if there are none. */
export function extraContent(of: object | undefined, vendor: string): JsonObject {
  const extra: unknown = of && 'extra_content' in of ? of.extra_content : undefined;
  return objectOf(objectOf(extra)[vendor]);
}
