import type { ToolCall } from '../../contract/chat.types.js';
import { isObject, type JsonObject } from '../../contract/json.js';
import { type ExtraContent, extraContent } from '../shared/extra-content.js';
import { reasoningDetailsOf } from '../shared/reasoning-details.js';

/** A field for a tool call that carries the thoughts behind it through the client, as the API signed them. */
export function withThoughts(blocks: readonly JsonObject[]): ExtraContent {
  return blocks.length > 0 ? { extra_content: { anthropic: { thinking_blocks: blocks } } } : {};
}

/**
 * The thoughts that a tool call of the history still carries, as far as they have the API's form; for the first call of
 * a message those that the message carries where the call has none.
 */
export function keptThoughts(call: ToolCall, message: JsonObject = {}): JsonObject[] {
  const { thinking_blocks: kept } = extraContent(call, 'anthropic');
  if (Array.isArray(kept)) return kept.flatMap((block: unknown) => (isObject(block) ? signedThought(block) : []));
  return reasoningDetailsOf(message).map((thought) =>
    thought.type === 'reasoning.text'
      ? { type: 'thinking', thinking: thought.text, signature: thought.signature }
      : { type: 'redacted_thinking', data: thought.data },
  );
}

/** A block of thoughts that the API will take back, without fields of other kinds; none where it has no signature. */
export function signedThought({ type, thinking, signature, data }: JsonObject): JsonObject[] {
  if (type === 'redacted_thinking' && isText(data)) return [{ type, data }];
  if (type === 'thinking' && typeof thinking === 'string' && isText(signature)) return [{ type, thinking, signature }];
  return [];
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}
