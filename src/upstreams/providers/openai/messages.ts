import { invalidRequest } from '../../../common/gateway.error.js';
import type { ChatMessage } from '../../contract/chat.types.js';
import { isObject, type ReadonlyJsonObject } from '../../contract/json.js';
import { asFunctionCall, withValidName } from '../shared/function-calls.js';
import { unsupportedAudio } from '../shared/unsupported.js';
import { changed } from './changed-list.js';
import { contentAdapter } from './content.js';
import type { Dialect } from './dialect.js';
import { fieldPicker } from './field-rule.js';

/** OpenAI's fields of a call, as APIs refuse vendor fields and the `index` of streams. */
const CALL_FIELDS = { only: ['id', 'type', 'function', 'custom'] };

/**
 * Returns the function that adapts a conversation. Unchanged messages and lists stay the same objects; contents are
 * never copied.
 */
export function messageAdapter(dialect: Dialect): (messages: readonly ChatMessage[]) => readonly ReadonlyJsonObject[] {
  const { developerRole, adaptMessage, adaptConversation, messageFields } = dialect;
  const adaptContent = contentAdapter(dialect);
  const withKnownFields = fieldPicker(messageFields, ['content']);
  const withValidCalls = callAdapter(dialect);
  const hasContent = contentTest(dialect);

  function adapted(original: ReadonlyJsonObject): ReadonlyJsonObject {
    let message = adaptMessage ? adaptMessage(original) : original;
    if (!developerRole && message.role === 'developer') message = { ...message, role: 'system' };
    message = withValidCalls(message);
    return withKnownFields(adaptContent(message));
  }

  return (messages) => {
    const conversation = withoutEmptyMessages(changed(messages, adapted), messages, hasContent);
    return adaptConversation ? adaptConversation(conversation) : conversation;
  };
}

/**
 * Drops assistant messages without supported content, for example with reasoning only, as APIs refuse them. A message
 * with audio only is an error.
 */
function withoutEmptyMessages(
  messages: readonly ReadonlyJsonObject[],
  originals: readonly ChatMessage[],
  hasContent: (message: ReadonlyJsonObject) => boolean,
): readonly ReadonlyJsonObject[] {
  if (messages.every(hasContent)) return messages;
  const left = messages.filter((message, index) => {
    const { audio } = originals[index] as ReadonlyJsonObject & ChatMessage;
    if (hasContent(message)) return true;
    if (audio == null) return false;
    throw unsupportedAudio(`messages[${index}]`);
  });
  if (left.length > 0) return left;
  throw invalidRequest('invalid_value', 'messages', 'These messages contain nothing that this model accepts.');
}

/** Returns the test whether an assistant message has supported content. */
function contentTest({ messageFields }: Dialect): (message: ReadonlyJsonObject) => boolean {
  const strict = 'only' in messageFields;
  const holds = ([field, value]: [string, unknown]) =>
    field !== 'role' && field !== 'name' && value != null && !(strict && (value === '' || NOT_CONTENT.has(field)));
  return (message) => message.role !== 'assistant' || Object.entries(message).some(holds);
}

/** Fields that do not count as content for an API that lists its fields. */
const NOT_CONTENT: ReadonlySet<string> = new Set(['reasoning', 'reasoning_content', 'prefix']);

/** Returns the function that adapts a message's tool calls, from which it removes other upstreams' fields, and its ids. */
function callAdapter({
  capabilities,
  calledNames,
  toolCallId = (id) => id,
}: Dialect): (message: ReadonlyJsonObject) => ReadonlyJsonObject {
  const functionsOnly = capabilities.custom_tools === false;

  function adapted(call: unknown): unknown {
    if (!isObject(call)) return call;
    const plain = withArguments(functionsOnly ? asFunctionCall(withCallFields(call)) : withCallFields(call));
    const named = calledNames ? withValidName(plain, calledNames) : plain;
    return withId(named, 'id', toolCallId);
  }

  return (message) => {
    const { tool_calls: calls } = message;
    if (!Array.isArray(calls)) return withId(message, 'tool_call_id', toolCallId);
    if (calls.length === 0) {
      // "Invalid 'messages[1].tool_calls': empty array."
      const { tool_calls: _, ...rest } = message;
      return withId(rest, 'tool_call_id', toolCallId);
    }
    const result = changed(calls, adapted);
    return result === calls ? message : { ...message, tool_calls: result };
  };
}

const withCallFields = fieldPicker(CALL_FIELDS);

/** xAI refuses empty arguments: "The arguments to a tool_call with ID '…' are not a valid JSON string". */
function withArguments(call: ReadonlyJsonObject): ReadonlyJsonObject {
  const { function: called } = call;
  return isObject(called) && called.arguments === '' ? { ...call, function: { ...called, arguments: '{}' } } : call;
}

function withId(
  object: ReadonlyJsonObject,
  field: 'id' | 'tool_call_id',
  toolCallId: (id: string) => string,
): ReadonlyJsonObject {
  const id = object[field];
  if (typeof id !== 'string') return object;
  const valid = toolCallId(id);
  return valid === id ? object : { ...object, [field]: valid };
}
