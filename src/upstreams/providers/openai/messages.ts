import { invalidRequest } from '../../../common/gateway.error.js';
import type { ChatMessage } from '../../contract/chat.types.js';
import { isObject, type JsonObject, type ReadonlyJsonObject, textOf } from '../../contract/json.js';
import { unsupportedAudio } from '../shared/ignored-fields.js';
import { asFunctionCall, withValidName } from '../shared/legacy-functions.js';
import { changed, type Dialect, type FieldRule, fieldPicker, fieldTest, type MessageText } from './dialect.js';

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

/** OpenAI's fields of a content part; other fields, such as `cache_control`, belong to a single API. */
const PART_FIELDS: FieldRule = { only: ['type', 'text', 'refusal', 'image_url', 'input_audio', 'file'] };

/** Returns the function that adapts a message's content; it returns the same object if nothing changes. */
function contentAdapter(dialect: Dialect): (message: ReadonlyJsonObject) => ReadonlyJsonObject {
  const { partFields = PART_FIELDS, adaptPart, textRoles = [] } = dialect;
  const withValidImage = imageAdapter(dialect);
  const acceptsRefusals = fieldTest(dialect.messageFields)('refusal');
  const withKnownFields = fieldPicker(partFields);

  function adapted(part: unknown): unknown {
    if (!isObject(part)) return part;
    if (part.type === 'refusal' && !acceptsRefusals) return { type: 'text', text: part.refusal };
    const adapted = withValidImage(withKnownFields(part));
    return adaptPart ? adaptPart(adapted) : adapted;
  }

  return (message) => {
    const { content } = message;
    if (!Array.isArray(content)) return acceptsRefusals ? message : withRefusalAsContent(message);
    const parts = changed(content, adapted);
    const text = typeof message.role === 'string' && textRoles.includes(message.role) ? textAlone(parts) : undefined;
    if (text !== undefined) return { ...message, content: text };
    return parts === content ? message : { ...message, content: parts };
  };
}

/** The values that most compatible APIs know. */
const IMAGE_DETAILS = ['auto', 'low', 'high'];

/** Returns the function that adapts images: an unsupported `original` becomes `high`. */
function imageAdapter({ messageFields, imageDetails }: Dialect): (part: ReadonlyJsonObject) => ReadonlyJsonObject {
  const known = imageDetails ?? ('only' in messageFields ? IMAGE_DETAILS : undefined);
  if (!known) return (part) => part;
  const nearest = known.includes('high') ? { detail: 'high' } : {};
  const withImageFields = fieldPicker({ only: known.length > 0 ? ['url', 'detail'] : ['url'] });

  return (part) => {
    const { image_url: image } = part;
    if (part.type !== 'image_url' || !isObject(image)) return part;
    const adapted = withImageFields(image);
    if (typeof adapted.detail === 'string' && !known.includes(adapted.detail)) {
      return { ...part, image_url: { url: adapted.url, ...nearest } };
    }
    return adapted === image ? part : { ...part, image_url: adapted };
  };
}

/** For APIs without a field `refusal`. */
function withRefusalAsContent(message: ReadonlyJsonObject): ReadonlyJsonObject {
  const { content, refusal } = message;
  return !content && typeof refusal === 'string' && refusal !== '' ? { ...message, content: refusal } : message;
}

/** Joins parts with newlines if all are text. */
function textAlone(parts: readonly unknown[]): string | undefined {
  const texts: string[] = [];
  for (const part of parts) {
    if (!isObject(part) || part.type !== 'text' || typeof part.text !== 'string') return undefined;
    texts.push(part.text);
  }
  return texts.join('\n');
}

export function textParts(parts: readonly unknown[]): MessageText {
  let content = '';
  for (const part of parts) if (isObject(part) && typeof part.text === 'string') content += part.text;
  return { content, reasoning: '' };
}

const REASONING_FIELDS = ['reasoning_content'];

/** The reasoning in a message or a delta. */
export function reasoningOf(
  part: JsonObject,
  { reasoningFields = REASONING_FIELDS }: Pick<Dialect, 'reasoningFields'>,
): string | undefined {
  for (const field of reasoningFields) {
    const text = textOf(part[field]);
    if (text !== undefined) return text;
  }
  return undefined;
}

/** Returns the function that renames a message's reasoning field for the API. */
export function thoughtsUnder(field: string): (message: ReadonlyJsonObject) => ReadonlyJsonObject {
  return (message) => {
    if (message.reasoning_content === undefined) return message;
    const { reasoning_content: thoughts, ...rest } = message;
    return { ...rest, [field]: thoughts };
  };
}

/** Keeps reasoning only with tool calls, where it may be needed. Some servers refuse the field elsewhere. */
export function thoughtsOfToolCalls(message: ReadonlyJsonObject): ReadonlyJsonObject {
  const { tool_calls: calls } = message;
  if (message.reasoning_content === undefined || (Array.isArray(calls) && calls.length > 0)) return message;
  const { reasoning_content: _, ...rest } = message;
  return rest;
}
