import type { ToolCall } from '../../contract/chat.types.js';
import { type JsonObject, listOf, objectsOf, textOf } from '../../contract/json.js';
import { type ExtraContent, extraContent } from '../shared/extra-content.js';

/** The readable reasoning of an item: its summary or, without one, its content. */
export function thoughtsOf({ summary, content }: JsonObject): string[] {
  const shown = textsOf(summary);
  return shown.length > 0 ? shown : textsOf(content);
}

function textsOf(parts: unknown): string[] {
  return objectsOf(parts).flatMap(({ text }) => textOf(text) ?? []);
}

/**
 * A reasoning item to send back; empty if it is not encrypted, as the API would answer "Item with id 'rs_…' not found.
 * Items are not persisted when `store` is set to false".
 */
export function returnableReasoning({ id, encrypted_content, summary }: JsonObject): JsonObject[] {
  if (typeof encrypted_content !== 'string' || encrypted_content === '') return [];
  const own = typeof id === 'string' ? { id } : {};
  return [{ type: 'reasoning', ...own, summary: listOf(summary), encrypted_content }];
}

/** Adds reasoning to a tool call, so that the client returns it and the gateway need not store it. */
export function carriedReasoning(items: readonly JsonObject[]): ExtraContent {
  return items.length === 0 ? {} : { extra_content: { openai: { reasoning_items: items } } };
}

export function returnedReasoning(call: ToolCall): JsonObject[] {
  return objectsOf(extraContent(call, 'openai').reasoning_items).flatMap(returnableReasoning);
}
