import type { AssistantMessage, ChatMessage, ContentPart, ToolCall } from '../../contract/chat.types.js';
import { isObject, type JsonObject, listOf, objectsOf, textOf, withoutNulls } from '../../contract/json.js';
import { textsOf } from '../shared/data-url.js';
import { FUNCTION_NAMES } from '../shared/legacy-functions.js';
import { type ExtraContent, extraContent } from '../shared/request-fields.js';
import { shortId, validName } from '../shared/tool-calls.js';

/** "Invalid 'input[2].call_id': string too long. Expected a string with maximum length 64". */
const callId = shortId(64);

/** Converts a conversation to items. Calls and tool results are separate items. */
export function toMessages(messages: readonly ChatMessage[]): JsonObject[] {
  const customCalls = new Set<string>();
  return messages.flatMap((message): JsonObject[] => {
    switch (message.role) {
      case 'assistant':
        for (const call of message.tool_calls ?? []) if (call.type === 'custom') customCalls.add(call.id);
        return assistantItems(message);
      case 'tool': {
        const type = customCalls.has(message.tool_call_id) ? 'custom_tool_call_output' : 'function_call_output';
        return [{ type, call_id: callId(message.tool_call_id), output: inputContent(message.content) }];
      }
      default:
        return [{ type: 'message', role: message.role, content: inputContent(message.content ?? '') }];
    }
  });
}

/**
 * Keeps the order of reasoning, text and calls: "Item 'rs_…' of type 'reasoning' was provided without its required
 * following item."
 */
function assistantItems(message: AssistantMessage): JsonObject[] {
  // A message without an id may only contain text, so refusals become text.
  const text = textsOf(message.content).join('') || (message.refusal ?? '');
  const items = text === '' ? [] : [{ type: 'message', role: 'assistant', content: text }];
  const [first, ...others] = message.tool_calls ?? [];
  if (!first) return items;
  return [
    ...returnedReasoning(first),
    ...items,
    callItem(first),
    ...others.flatMap((call) => [...returnedReasoning(call), callItem(call)]),
  ];
}

function callItem(call: ToolCall): JsonObject {
  if (call.type === 'custom') {
    const { name, input } = call.custom;
    return { type: 'custom_tool_call', call_id: callId(call.id), name, input };
  }
  const { name, arguments: text } = call.function;
  const valid = validName(name, FUNCTION_NAMES);
  return { type: 'function_call', call_id: callId(call.id), name: valid, arguments: text || '{}' };
}

function inputContent(content: string | readonly ContentPart[]): string | JsonObject[] {
  return typeof content === 'string' ? content : content.map(inputPart);
}

function inputPart(part: ContentPart): JsonObject {
  const breakpoint = (part as { prompt_cache_breakpoint?: unknown }).prompt_cache_breakpoint;
  return { ...typedPart(part), ...(isObject(breakpoint) && { prompt_cache_breakpoint: breakpoint }) };
}

function typedPart(part: ContentPart): JsonObject {
  switch (part.type) {
    case 'image_url':
      return { type: 'input_image', image_url: part.image_url.url, detail: part.image_url.detail ?? 'auto' };
    case 'file': {
      const { filename, file_data, file_id } = part.file;
      return { type: 'input_file', ...withoutNulls({ filename, file_data, file_id }) };
    }
    case 'input_audio':
      return { type: 'input_audio', input_audio: part.input_audio };
    default:
      return { type: 'input_text', text: part.text };
  }
}

/** The readable reasoning of an item: its summary or, without one, its content. */
export function thoughtsOf({ summary, content }: JsonObject): string[] {
  const shown = partTexts(summary);
  return shown.length > 0 ? shown : partTexts(content);
}

function partTexts(parts: unknown): string[] {
  return objectsOf(parts).flatMap(({ text }) => textOf(text) ?? []);
}

/**
 * A reasoning item to send back; empty if it is not encrypted, as the API would answer "Item with id 'rs_…' not found.
 * Items are not persisted when `store` is set to false".
 */
export function returnableReasoning({ id, encrypted_content, summary }: JsonObject): JsonObject[] {
  if (typeof encrypted_content !== 'string' || encrypted_content === '') return [];
  const own = typeof id === 'string' ? { id } : {};
  return [{ type: 'reasoning', ...own, summary: listOf(summary), encrypted_content }];
}

/** Adds reasoning to a tool call, so that the client returns it and the gateway need not store it. */
export function carriedReasoning(items: readonly JsonObject[]): ExtraContent {
  return items.length === 0 ? {} : { extra_content: { openai: { reasoning_items: items } } };
}

function returnedReasoning(call: ToolCall): JsonObject[] {
  return objectsOf(extraContent(call, 'openai').reasoning_items).flatMap(returnableReasoning);
}
