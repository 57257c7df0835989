import type { ToolCall } from '../../contract/chat.types.js';
import { isObject, type JsonObject } from '../../contract/json.js';
import { type ExtraContent, extraContent } from '../shared/extra-content.js';
import { reasoningDetailsOf } from '../shared/reasoning-details.js';

/** Adds signed thoughts to a tool call, so that the client returns them. */
export function withThoughts(blocks: readonly JsonObject[]): ExtraContent {
  return blocks.length > 0 ? { extra_content: { anthropic: { thinking_blocks: blocks } } } : {};
}

/**
 * The valid signed thoughts of an earlier tool call. If the first call of a message has none, the message's thoughts
 * are used.
 */
export function returnedThoughts(call: ToolCall, message: JsonObject = {}): JsonObject[] {
  const { thinking_blocks: kept } = extraContent(call, 'anthropic');
  if (Array.isArray(kept)) return kept.flatMap((block: unknown) => (isObject(block) ? signedThought(block) : []));
  return reasoningDetailsOf(message).map((thought) =>
    thought.type === 'reasoning.text'
      ? { type: 'thinking', thinking: thought.text, signature: thought.signature }
      : { type: 'redacted_thinking', data: thought.data },
  );
}

/** A thinking block with only the fields that the API accepts; empty without a signature. */
export function signedThought({ type, thinking, signature, data }: JsonObject): JsonObject[] {
  if (type === 'redacted_thinking' && isText(data)) return [{ type, data }];
  if (type === 'thinking' && typeof thinking === 'string' && isText(signature)) return [{ type, thinking, signature }];
  return [];
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}
