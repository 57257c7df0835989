import type { ChatMessage } from '../../chat.types.js';
import { isObject, type JsonObject } from '../json.js';
import type { Dialect } from './dialect.js';
import { fieldTest } from './field-rule.js';

/**
 * Makes the function that puts a conversation into an API's form. Messages that need no change go on as they are, and
 * so does the whole list where none does; contents are never copied.
 */
export function messageAdapter(dialect: Dialect): (messages: readonly ChatMessage[]) => readonly JsonObject[] {
  const { developerRole, adaptMessage, toolCallId, messageFields } = dialect;
  const takes = fieldTest(messageFields);
  const strict = 'only' in messageFields;

  function isTaken(field: string, value: unknown): boolean {
    return takes(field) && !(strict && value === null && field !== 'content');
  }

  function withoutUntakenFields(message: JsonObject): JsonObject {
    const fields = Object.entries(message);
    const taken = fields.filter(([field, value]) => isTaken(field, value));
    return taken.length === fields.length ? message : Object.fromEntries(taken);
  }

  return (messages) => {
    let changed = false;
    const adapted: JsonObject[] = [];
    for (const original of messages) {
      let message: JsonObject = adaptMessage ? adaptMessage(original) : original;
      if (!developerRole && message.role === 'developer') message = { ...message, role: 'system' };
      message = withPlainToolCalls(message);
      if (toolCallId) message = withToolCallIds(message, toolCallId);
      message = withoutUntakenFields(message);
      changed ||= message !== original;
      adapted.push(message);
    }
    return changed ? adapted : messages;
  };
}

/** Without what another upstream's answer had beside a call, for itself alone: clients send it back in their history. */
function withPlainToolCalls(message: JsonObject): JsonObject {
  const { tool_calls: calls } = message;
  if (!Array.isArray(calls) || !calls.some((call) => isObject(call) && 'extra_content' in call)) return message;
  return { ...message, tool_calls: calls.map(({ extra_content, ...call }: JsonObject) => call) };
}

function withToolCallIds(message: JsonObject, toolCallId: (id: string) => string): JsonObject {
  const { tool_calls: calls, tool_call_id: id } = message;
  if (typeof id === 'string') {
    const taken = toolCallId(id);
    return taken === id ? message : { ...message, tool_call_id: taken };
  }
  if (!Array.isArray(calls)) return message;
  return {
    ...message,
    tool_calls: calls.map((call: unknown) =>
      isObject(call) && typeof call.id === 'string' ? { ...call, id: toolCallId(call.id) } : call,
    ),
  };
}
