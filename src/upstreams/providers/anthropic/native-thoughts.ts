import { isObject, type JsonObject, objectsOf, type ReadonlyJsonObject } from '../../contract/json.js';
import type { NativeBody, ReducedBody } from '../../contract/native.body.js';

/** The API's messages for an invalid signature and for changed thinking. */
const THINKING_REFUSED =
  /invalid `(?:signature|data)` in `(?:redacted_)?thinking`|thinking\.signature: field required|thinking` (?:or `redacted_thinking` )?blocks .*cannot be modified/i;

export function isThinkingRefused(message: string): boolean {
  return THINKING_REFUSED.test(message);
}

/**
 * The request without the thinking of earlier turns; null if there is none. A tool loop that began with thinking
 * continues without it, as a budget for thinking requires the blocks.
 */
export function withoutThinking(body: NativeBody): ReducedBody | null {
  const { messages } = body.fields;
  const leftOut = Array.isArray(messages) ? messages.flatMap(pathsOfThinking) : [];
  if (!Array.isArray(messages) || leftOut.length === 0) return null;
  const fields: JsonObject = { ...body.fields, messages: messages.flatMap(spoken) };
  const { thinking } = fields;
  if (isInToolLoop(messages) && isObject(thinking) && thinking.type === 'enabled') delete fields.thinking;
  return { body: { ...body, fields }, leftOut };
}

function pathsOfThinking(message: unknown, at: number): string[] {
  if (!hasThinking(message)) return [];
  const { content } = message;
  return Array.isArray(content)
    ? content.flatMap((block, place) => (isThinking(block) ? [`messages[${at}].content[${place}]`] : []))
    : [];
}

function hasThinking(message: unknown): message is ReadonlyJsonObject {
  return isObject(message) && message.role === 'assistant' && objectsOf(message.content).some(isThinking);
}

function isThinking(block: unknown): boolean {
  return isObject(block) && (block.type === 'thinking' || block.type === 'redacted_thinking');
}

/** The message without its thinking; empty if it has no other content. */
function spoken(message: unknown): unknown[] {
  if (!hasThinking(message)) return [message];
  const content = objectsOf(message.content).filter((block) => !isThinking(block));
  return content.length > 0 ? [{ ...message, content }] : [];
}

function isInToolLoop(messages: readonly unknown[]): boolean {
  const last = messages.at(-1);
  return isObject(last) && objectsOf(last.content).some(({ type }) => type === 'tool_result');
}
