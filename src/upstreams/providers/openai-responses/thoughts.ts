import type { ToolCall } from '../../contract/chat.types.js';
import { type JsonObject, objectsOf, textOf } from '../../contract/json.js';
import { type ExtraContent, extraContent } from '../shared/extra-content.js';

/** What a reasoning item shows of the model's thoughts: the summary's parts, or else the thoughts themselves. */
export function thoughtsOf({ summary, content }: JsonObject): string[] {
  const shown = textsOf(summary);
  return shown.length > 0 ? shown : textsOf(content);
}

function textsOf(parts: unknown): string[] {
  return objectsOf(parts).flatMap(({ text }) => textOf(text) ?? []);
}

/**
 * A reasoning item as it goes back to the API; none where it holds nothing that can: of one that is not encrypted
 * the API says "Item with id 'rs_…' not found. Items are not persisted when `store` is set to false".
 */
export function returnableReasoning({ id, encrypted_content, summary }: JsonObject): JsonObject[] {
  if (typeof encrypted_content !== 'string' || encrypted_content === '') return [];
  const own = typeof id === 'string' ? { id } : {};
  return [{ type: 'reasoning', ...own, summary: Array.isArray(summary) ? summary : [], encrypted_content }];
}

/** A field for a tool call that carries the reasoning before it through the client, so that no state is held here. */
export function carriedReasoning(items: readonly JsonObject[]): ExtraContent {
  return items.length === 0 ? {} : { extra_content: { openai: { reasoning_items: items } } };
}

/** The reasoning that a call of the history still carries. */
export function keptReasoning(call: ToolCall): JsonObject[] {
  return objectsOf(extraContent(call, 'openai').reasoning_items).flatMap(returnableReasoning);
}
