import type { ToolCall } from '../../contract/chat.types.js';
import { type JsonObject, objectsOf, textOf } from '../../contract/json.js';
import { type ExtraContent, extraContent } from '../shared/extra-content.js';

/** The readable reasoning of an item: its summary, else its content. */
export function thoughtsOf({ summary, content }: JsonObject): string[] {
  const shown = textsOf(summary);
  return shown.length > 0 ? shown : textsOf(content);
}

function textsOf(parts: unknown): string[] {
  return objectsOf(parts).flatMap(({ text }) => textOf(text) ?? []);
}

/**
 * A reasoning item to send back; none if it is not encrypted: "Item with id 'rs_…' not found. Items are not persisted
 * when `store` is set to false".
 */
export function returnableReasoning({ id, encrypted_content, summary }: JsonObject): JsonObject[] {
  if (typeof encrypted_content !== 'string' || encrypted_content === '') return [];
  const own = typeof id === 'string' ? { id } : {};
  return [{ type: 'reasoning', ...own, summary: Array.isArray(summary) ? summary : [], encrypted_content }];
}

/** Carries reasoning through the client in a tool call, so that the gateway keeps no state. */
export function carriedReasoning(items: readonly JsonObject[]): ExtraContent {
  return items.length === 0 ? {} : { extra_content: { openai: { reasoning_items: items } } };
}

export function returnedReasoning(call: ToolCall): JsonObject[] {
  return objectsOf(extraContent(call, 'openai').reasoning_items).flatMap(returnableReasoning);
}
