import type { ToolCall } from '../../contract/chat.types.js';
import { isObject, type JsonObject, objectsOf, textOf } from '../../contract/json.js';
import { type ExtraContent, extraContent } from './extra-content.js';

/** Reasoning that its API requires back unchanged, before the tool call that followed it. */
export type ReasoningDetail =
  /** Readable, with a signature. */
  | { type: 'reasoning.text'; text: string; signature: string }
  /** Readable only by the API. */
  | { type: 'reasoning.encrypted'; data: string };

/**
 * Adds Claude's reasoning to a tool call, so that the client returns it and the gateway need not store it. The same for
 * all providers of Claude.
 */
export function carriedThoughts(details: readonly ReasoningDetail[]): ExtraContent {
  if (details.length === 0) return {};
  const blocks = details.map((detail) =>
    detail.type === 'reasoning.text'
      ? { type: 'thinking', thinking: detail.text, signature: detail.signature }
      : { type: 'redacted_thinking', data: detail.data },
  );
  return { extra_content: { anthropic: { thinking_blocks: blocks } } };
}

/** Undefined if the call has no such field. */
export function thoughtsOfCall(call: ToolCall): ReasoningDetail[] | undefined {
  const { thinking_blocks: blocks } = extraContent(call, 'anthropic');
  if (!Array.isArray(blocks)) return undefined;
  return blocks.filter(isObject).flatMap(({ type, thinking, signature, data }) => {
    if (type === 'thinking') return signedText(thinking, signature);
    return type === 'redacted_thinking' ? encrypted(data) : [];
  });
}

/** Reasoning in a message's `reasoning_details`, which other routers send; skips entries in other formats. */
export function reasoningDetailsOf(message: JsonObject): ReasoningDetail[] {
  return objectsOf(message.reasoning_details).flatMap(({ type, text, signature, data }) => {
    if (type === 'reasoning.text') return signedText(text, signature);
    return type === 'reasoning.encrypted' ? encrypted(data) : [];
  });
}

function signedText(text: unknown, signature: unknown): ReasoningDetail[] {
  const signed = textOf(signature);
  return signed === undefined ? [] : [{ type: 'reasoning.text', text: textOf(text) ?? '', signature: signed }];
}

function encrypted(value: unknown): ReasoningDetail[] {
  const data = textOf(value);
  return data === undefined ? [] : [{ type: 'reasoning.encrypted', data }];
}
