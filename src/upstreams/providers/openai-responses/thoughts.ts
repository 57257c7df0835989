import type { ToolCall } from '../../contract/chat.types.js';
import { isObject, type JsonObject, textOf } from '../../contract/json.js';

/** What a reasoning item shows of the model's thoughts: the summary's parts, or else the thoughts themselves. */
export function thoughtsOf({ summary, content }: JsonObject): string[] {
  const shown = textsOf(summary);
  return shown.length > 0 ? shown : textsOf(content);
}

function textsOf(parts: unknown): string[] {
  if (!Array.isArray(parts)) return [];
  return parts.flatMap((part) => (isObject(part) ? (textOf(part.text) ?? []) : []));
}

/**
 * A reasoning item as it goes back to the API; undefined where it holds nothing that can: of one that is not encrypted
 * the API says "Item with id 'rs_…' not found. Items are not persisted when `store` is set to false".
 */
export function returnableReasoning({ id, encrypted_content, summary }: JsonObject): JsonObject | undefined {
  if (typeof encrypted_content !== 'string' || encrypted_content === '') return undefined;
  return {
    type: 'reasoning',
    ...(typeof id === 'string' && { id }),
    summary: Array.isArray(summary) ? summary : [],
    encrypted_content,
  };
}

/** A field for a tool call that carries the reasoning before it through the client, so that no state is held here. */
export function carriedReasoning(items: readonly JsonObject[]): { extra_content?: JsonObject } {
  return items.length === 0 ? {} : { extra_content: { openai: { reasoning_items: items } } };
}

/** The reasoning that a call of the history still carries. */
export function keptReasoning(call: ToolCall): JsonObject[] {
  const extra: unknown = 'extra_content' in call ? call.extra_content : undefined;
  const items = isObject(extra) && isObject(extra.openai) ? extra.openai.reasoning_items : undefined;
  const kept: JsonObject[] = [];
  for (const item of Array.isArray(items) ? items.filter(isObject) : []) {
    const returned = returnableReasoning(item);
    if (returned) kept.push(returned);
  }
  return kept;
}
