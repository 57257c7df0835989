import { isObject, type JsonObject, type ReadonlyJsonObject } from '../../contract/json.js';

/**
 * Reorders a conversation: system messages first, then user and assistant in turn. Later system messages count as user
 * messages; adjacent messages of one role are merged. Returns the same list if nothing changes.
 */
export function alternating(messages: readonly ReadonlyJsonObject[]): readonly ReadonlyJsonObject[] {
  const opening = messages.findIndex(({ role }) => role !== 'system');
  if (opening < 0) return messages;
  const turns: JsonObject[] = messages.slice(0, opening);
  let changed = false;
  for (const original of messages.slice(opening)) {
    const message = original.role === 'system' ? { ...original, role: 'user' } : original;
    const last = turns.at(-1);
    const joins = last !== undefined && isPlain(message) && isPlain(last) && last.role === message.role;
    if (joins) turns[turns.length - 1] = { ...last, content: joined(last.content, message.content) };
    else turns.push(message);
    changed ||= joins || message !== original;
  }
  return changed ? turns : messages;
}

/** Whether it is a user or assistant message without tool calls. */
function isPlain({ role, tool_calls: calls }: JsonObject): boolean {
  return role === 'user' || (role === 'assistant' && calls === undefined);
}

function joined(first: unknown, second: unknown): unknown {
  if (!first) return second;
  if (!second) return first;
  if (typeof first === 'string' && typeof second === 'string') return `${first}\n\n${second}`;
  return [...partsOf(first), ...partsOf(second)];
}

function partsOf(content: unknown): JsonObject[] {
  return Array.isArray(content) ? content.filter(isObject) : [{ type: 'text', text: content }];
}
