import { isObject, type JsonObject, type ReadonlyJsonObject } from '../../contract/json.js';
import type { MessageText } from '../openai/dialect.js';
import { textParts } from '../openai/messages.js';

/** The API requires an assistant turn between a tool result and a user message. */
const BRIDGE: JsonObject = { role: 'assistant', content: 'OK' };

/**
 * Reorders a conversation for the API; returns the same list if nothing changes.
 * - "Unexpected role 'system' after role 'assistant'": later system text moves to the user's next turn, or to the
 *   system messages at the start if there is none.
 * - "Unexpected role 'user' after role 'tool'": an assistant turn is inserted.
 * - "Expected last role User or Tool (or Assistant with prefix True)": a final assistant message becomes a prefix.
 */
export function turnsInOrder(messages: readonly ReadonlyJsonObject[]): readonly ReadonlyJsonObject[] {
  const opening = messages.findIndex(({ role }) => role !== 'system');
  if (opening < 0) return messages;
  const turns: JsonObject[] = messages.slice(0, opening);
  let waiting: JsonObject[] = [];
  for (const message of messages.slice(opening)) {
    if (message.role === 'system') {
      waiting.push(message);
      continue;
    }
    if (message.role !== 'user') {
      turns.push(message);
      continue;
    }
    if (turns.at(-1)?.role === 'tool') turns.push(BRIDGE);
    turns.push(waiting.length > 0 ? withTextBefore(message, waiting) : message);
    waiting = [];
  }
  turns.splice(opening, 0, ...waiting);
  const last = turns.at(-1);
  if (last && isPrefill(last)) turns[turns.length - 1] = { ...last, prefix: true };
  const same = turns.length === messages.length && turns.every((turn, index) => turn === messages[index]);
  return same ? messages : turns;
}

function isPrefill({ role, content, tool_calls: calls, prefix }: JsonObject): boolean {
  return role === 'assistant' && Boolean(content) && prefix !== true && !(Array.isArray(calls) && calls.length > 0);
}

function withTextBefore(message: ReadonlyJsonObject, added: readonly ReadonlyJsonObject[]): JsonObject {
  const { content } = message;
  const texts = added.map(textOf).join('\n\n');
  if (!Array.isArray(content)) return { ...message, content: `${texts}\n\n${content}` };
  return { ...message, content: [{ type: 'text', text: texts }, ...content] };
}

function textOf({ content }: JsonObject): string {
  if (!Array.isArray(content)) return String(content);
  return content.map((part: unknown) => (isObject(part) ? part.text : '')).join('\n');
}

const TAKEN = /^[A-Za-z0-9]{9}$/;

/** Ids must be nine letters and digits: other ids are hashed to that form. */
export function toolCallId(id: string): string {
  if (TAKEN.test(id)) return id;
  const hash = (BigInt(fnv1a(id)) << 32n) | BigInt(fnv1a(`.${id}`));
  return hash.toString(36).slice(-9).padStart(9, '0');
}

function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return hash >>> 0;
}

/** A content part as one of Mistral's chunks (package mistralai). Documents have a URL; audio is unchanged. */
export function contentChunk(part: ReadonlyJsonObject): JsonObject {
  if (part.type === 'input_audio' && isObject(part.input_audio)) {
    const { data, format } = part.input_audio;
    return { type: 'input_audio', input_audio: { data, format } };
  }
  return part.type === 'file' && isObject(part.file) ? fileChunk(part.file) : part;
}

/** The API accepts a `data:` URL as a document's address. */
function fileChunk({ file_data: data, filename, file_id }: JsonObject): JsonObject {
  if (typeof data !== 'string') return { type: 'file', file_id };
  return {
    type: 'document_url',
    document_url: /^data:/i.test(data) ? data : `data:application/pdf;base64,${data}`,
    ...(typeof filename === 'string' && { document_name: filename }),
  };
}

/** Reasoning models answer with a list of text and of thinking, which is itself a list of texts. */
export function readParts(parts: readonly unknown[]): MessageText {
  let content = '';
  let reasoning = '';
  for (const part of parts) {
    if (!isObject(part)) continue;
    if (part.type === 'thinking') reasoning += thoughtsOf(part.thinking);
    else if (typeof part.text === 'string') content += part.text;
  }
  return { content, reasoning };
}

function thoughtsOf(thinking: unknown): string {
  if (typeof thinking === 'string') return thinking;
  return Array.isArray(thinking) ? textParts(thinking).content : '';
}
