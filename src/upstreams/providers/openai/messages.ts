import type { ChatMessage } from '../../contract/chat.types.js';
import { isObject, type ReadonlyJsonObject } from '../../contract/json.js';
import { changed } from './changed-list.js';
import { contentAdapter } from './content.js';
import type { Dialect } from './dialect.js';
import { fieldPicker } from './field-rule.js';

/** What the format has of a call: APIs refuse what stands beside it in a stream (`index`) or for one API alone. */
const CALL_FIELDS = { only: ['id', 'type', 'function', 'custom'] };

/**
 * Makes the function that puts a conversation into an API's form. Messages that need no change go on as they are, and
 * so does the whole list where none does; contents are never copied.
 */
export function messageAdapter(dialect: Dialect): (messages: readonly ChatMessage[]) => readonly ReadonlyJsonObject[] {
  const { developerRole, adaptMessage, adaptConversation, toolCallId, messageFields } = dialect;
  const adaptContent = contentAdapter(dialect);
  const withTakenFields = fieldPicker(messageFields, ['content']);

  function adapted(original: ReadonlyJsonObject): ReadonlyJsonObject {
    let message = adaptMessage ? adaptMessage(original) : original;
    if (!developerRole && message.role === 'developer') message = { ...message, role: 'system' };
    message = withPlainToolCalls(message);
    if (toolCallId) message = withToolCallIds(message, toolCallId);
    return withTakenFields(adaptContent(message));
  }

  return (messages) => {
    const conversation = changed(messages, adapted);
    return adaptConversation ? adaptConversation(conversation) : conversation;
  };
}

/** The calls without what another upstream's answer had beside them: clients send it back in their history. */
function withPlainToolCalls(message: ReadonlyJsonObject): ReadonlyJsonObject {
  const { tool_calls: calls } = message;
  if (!Array.isArray(calls)) return message;
  const plain = changed(calls, plainCall);
  return plain === calls ? message : { ...message, tool_calls: plain };
}

const withCallFields = fieldPicker(CALL_FIELDS);

/** "The arguments to a tool_call with ID '…' are not a valid JSON string", says xAI of none: they are an empty object. */
function plainCall(call: unknown): unknown {
  if (!isObject(call)) return call;
  const plain = withCallFields(call);
  const { function: called } = plain;
  return isObject(called) && called.arguments === '' ? { ...plain, function: { ...called, arguments: '{}' } } : plain;
}

function withToolCallIds(message: ReadonlyJsonObject, toolCallId: (id: string) => string): ReadonlyJsonObject {
  const { tool_calls: calls, tool_call_id: id } = message;
  if (typeof id === 'string') {
    const taken = toolCallId(id);
    return taken === id ? message : { ...message, tool_call_id: taken };
  }
  if (!Array.isArray(calls)) return message;
  const taken = changed(calls, (call: unknown) => withCallId(call, toolCallId));
  return taken === calls ? message : { ...message, tool_calls: taken };
}

function withCallId(call: unknown, toolCallId: (id: string) => string): unknown {
  if (!isObject(call) || typeof call.id !== 'string') return call;
  const id = toolCallId(call.id);
  return id === call.id ? call : { ...call, id };
}
