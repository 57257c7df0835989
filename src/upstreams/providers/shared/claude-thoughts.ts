import type { ToolCall } from '../../contract/chat.types.js';
import { type JsonObject, objectOf, objectsOf, textOf } from '../../contract/json.js';
import { type ExtraContent, extraContent } from './extra-content.js';

/** Claude's reasoning, which its API requires back unchanged, before the tool call that followed it. */
export type Thought =
  | { type: 'thinking'; thinking: string; signature: string }
  /** Readable only by the API. */
  | { type: 'redacted_thinking'; data: string };

/**
 * Adds thoughts to a tool call, so that the client returns them and the gateway need not store them. The same for all
 * providers of Claude.
 */
export function withThoughts(thoughts: readonly Thought[]): ExtraContent {
  return thoughts.length > 0 ? { extra_content: { anthropic: { thinking_blocks: thoughts } } } : {};
}

/**
 * The valid thoughts of an earlier tool call. If the first call of a message has none, the message's
 * `reasoning_details` are used, which other routers send.
 */
export function returnedThoughts(call: ToolCall, message: JsonObject = {}): Thought[] {
  const { thinking_blocks: kept } = extraContent(call, 'anthropic');
  if (Array.isArray(kept)) return objectsOf(kept).flatMap(signedThought);
  return objectsOf(message.reasoning_details).flatMap(({ type, text, signature, data }) => {
    if (type === 'reasoning.text') return signedThought({ type: 'thinking', thinking: text, signature });
    return type === 'reasoning.encrypted' ? signedThought({ type: 'redacted_thinking', data }) : [];
  });
}

export function isThinking(block: unknown): boolean {
  const { type } = objectOf(block);
  return type === 'thinking' || type === 'redacted_thinking';
}

/** A thought with only the fields that the API accepts; empty without a signature. */
export function signedThought({ type, thinking, signature, data }: JsonObject): Thought[] {
  const redacted = textOf(data);
  const signed = textOf(signature);
  if (type === 'redacted_thinking' && redacted !== undefined) return [{ type, data: redacted }];
  if (type !== 'thinking' || signed === undefined) return [];
  return [{ type, thinking: textOf(thinking) ?? '', signature: signed }];
}
