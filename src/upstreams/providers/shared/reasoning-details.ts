import type { ToolCall } from '../../contract/chat.types.js';
import { isObject, type JsonObject, objectsOf, textOf } from '../../contract/json.js';
import type { ExtraContent } from './extra-content.js';

/** A thought that its API wants back unchanged, before the tool call that it led to. */
export type ReasoningDetail =
  /** Readable, with the API's signature. */
  | { type: 'reasoning.text'; text: string; signature: string }
  /** Readable by the API alone. */
  | { type: 'reasoning.encrypted'; data: string };

/**
 * A field for a tool call that carries a Claude model's thoughts through the client, so that no state is held here: the
 * SDKs keep unknown fields of a tool call, streamed or not. It is the same whoever serves the model.
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

/** The thoughts that a tool call of the history still carries; undefined where it has no such field. */
export function thoughtsOfCall(call: ToolCall): ReasoningDetail[] | undefined {
  const extra: unknown = 'extra_content' in call ? call.extra_content : undefined;
  const blocks = isObject(extra) && isObject(extra.anthropic) ? extra.anthropic.thinking_blocks : undefined;
  if (!Array.isArray(blocks)) return undefined;
  return blocks.filter(isObject).flatMap(({ type, thinking, signature, data }) => {
    if (type === 'thinking') return signedText(thinking, signature);
    return type === 'redacted_thinking' ? encrypted(data) : [];
  });
}

/**
 * The thoughts in the field `reasoning_details` of an assistant message, where other routers put them; what has another
 * form is passed over.
 */
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
