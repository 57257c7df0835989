import { isObject, type JsonObject, type ReadonlyJsonObject } from '../../contract/json.js';

/** The assistant's turn between a tool's result and a user message, which the API requires. */
const BRIDGE: JsonObject = { role: 'assistant', content: 'OK' };

/**
 * The conversation in the order that the API takes; the very list where it is in it.
 * - "Unexpected role 'system' after role 'assistant'": a later system text is told by the next turn of the user, and
 *   without one by the system messages at the beginning.
 * - "Unexpected role 'user' after role 'tool'": the assistant says a word between them.
 * - "Expected last role User or Tool (or Assistant with prefix True)": what the assistant said last is to be gone on with.
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
  if (last && isToBeGoneOnWith(last)) turns[turns.length - 1] = { ...last, prefix: true };
  const same = turns.length === messages.length && turns.every((turn, index) => turn === messages[index]);
  return same ? messages : turns;
}

function isToBeGoneOnWith({ role, content, tool_calls: calls, prefix }: JsonObject): boolean {
  return role === 'assistant' && Boolean(content) && prefix !== true && !(Array.isArray(calls) && calls.length > 0);
}

function withTextBefore(message: ReadonlyJsonObject, said: readonly ReadonlyJsonObject[]): JsonObject {
  const { content } = message;
  const texts = said.map(textOf).join('\n\n');
  if (!Array.isArray(content)) return { ...message, content: `${texts}\n\n${content}` };
  return { ...message, content: [{ type: 'text', text: texts }, ...content] };
}

function textOf({ content }: JsonObject): string {
  if (!Array.isArray(content)) return String(content);
  return content.map((part: unknown) => (isObject(part) ? part.text : '')).join('\n');
}

const TAKEN = /^[A-Za-z0-9]{9}$/;

/** The API takes nine letters and digits only: an id of another upstream becomes such, always the same for one id. */
export function toolCallId(id: string): string {
  if (TAKEN.test(id)) return id;
  const hash = (BigInt(fnv1a(id)) << 32n) | BigInt(fnv1a(`.${id}`));
  return hash.toString(36).slice(-9).padStart(9, '0');
}

/** The 32-bit FNV-1a hash. */
function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return hash >>> 0;
}
