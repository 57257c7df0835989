import {
  isObject,
  type JsonObject,
  listOf,
  objectOf,
  objectsOf,
  type ReadonlyJsonObject,
} from '../../contract/json.js';
import type { NativeBody, ReducedBody } from '../../contract/native.body.js';
import { isThinking } from '../shared/claude-thoughts.js';

/** The API's messages for an invalid signature and for changed thinking. */
export const THINKING_REFUSED =
  /invalid `(?:signature|data)` in `(?:redacted_)?thinking`|thinking\.signature: field required|thinking` (?:or `redacted_thinking` )?blocks .*cannot be modified/i;

/**
 * The request without the thinking of earlier turns; null if there is none. A tool loop that began with thinking
 * continues without it, as a budget for thinking requires the blocks.
 */
export function withoutThinking(body: NativeBody): ReducedBody | null {
  const { messages } = body.fields;
  if (!Array.isArray(messages)) return null;
  const leftOut = messages.flatMap(pathsOfThinking);
  if (leftOut.length === 0) return null;
  const fields: JsonObject = { ...body.fields, messages: messages.flatMap(spoken) };
  const { thinking } = fields;
  if (isInToolLoop(messages) && isObject(thinking) && thinking.type === 'enabled') delete fields.thinking;
  return { body: { ...body, fields }, leftOut };
}

function pathsOfThinking(message: unknown, at: number): string[] {
  const blocks = hasThinking(message) ? listOf(message.content) : [];
  return blocks.flatMap((block, place) => (isThinking(block) ? [`messages[${at}].content[${place}]`] : []));
}

function hasThinking(message: unknown): message is ReadonlyJsonObject {
  return isObject(message) && message.role === 'assistant' && objectsOf(message.content).some(isThinking);
}

/** The message without its thinking; empty if it has no other content. */
function spoken(message: unknown): unknown[] {
  if (!hasThinking(message)) return [message];
  const content = objectsOf(message.content).filter((block) => !isThinking(block));
  return content.length > 0 ? [{ ...message, content }] : [];
}

function isInToolLoop(messages: readonly unknown[]): boolean {
  return objectsOf(objectOf(messages.at(-1)).content).some(({ type }) => type === 'tool_result');
}
