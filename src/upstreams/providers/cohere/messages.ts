import type {
  AssistantMessage,
  ChatMessage,
  ContentPart,
  ImagePart,
  RefusalPart,
  TextPart,
  ToolCall,
} from '../../contract/chat.types.js';
import { type JsonObject, textOf } from '../../contract/json.js';
import { textsOf } from '../shared/data-url.js';
import { unsupportedAudio, unsupportedPart } from '../shared/ignored-fields.js';
import { type ExtraContent, extraContent } from '../shared/request-fields.js';
import { nthOf, ToolArguments, ToolCallIds, type ToolRenaming } from '../shared/tool-calls.js';
import { OPENING } from '../shared/turns.js';

/** Converts a conversation. Roles may have any order; empty messages and duplicate call ids are not allowed. */
export function toMessages(conversation: readonly ChatMessage[], names: ToolRenaming): JsonObject[] {
  const ids = new ToolCallIds(uniqueId);
  const toolArguments = new ToolArguments();
  const messages = conversation.flatMap((message, index): JsonObject[] => {
    const path = `messages[${index}]`;
    switch (message.role) {
      case 'system':
      case 'developer':
        return messageOf('system', textContent(message.content));
      case 'assistant':
        return assistantMessage(message, { ids, toolArguments, names, path });
      case 'tool':
        return [toolResult(ids.ofResult(message.tool_call_id), message.content)];
      case 'user':
        return messageOf('user', userContent(message.content, path));
      default:
        return [];
    }
  });
  return messages.length > 0 ? messages : [{ role: 'user', content: OPENING }];
}

function messageOf(role: 'system' | 'user', content: string | JsonObject[]): JsonObject[] {
  return isNotEmpty(content) ? [{ role, content }] : [];
}

function toolResult(id: string, content: Parameters<typeof toolResultText>[0]): JsonObject {
  return { role: 'tool', tool_call_id: id, content: toolResultText(content) };
}

/** Ids must be unique and not empty. */
function uniqueId(id: string, nth: number): string {
  return nthOf(id || 'call', nth);
}

interface Context {
  ids: ToolCallIds;
  toolArguments: ToolArguments;
  names: ToolRenaming;
  /** The message's path, for errors. */
  path: string;
}

function assistantMessage(message: AssistantMessage, context: Context): JsonObject[] {
  const calls = toolCalls(message, context);
  const { thinking, toolPlan } = returnedThoughts(message.tool_calls?.[0]);
  const content = contentOf(message, thinking);
  if (calls.length === 0 && !isNotEmpty(content)) {
    if (message.audio) throw unsupportedAudio(context.path);
    return [];
  }
  return [
    {
      role: 'assistant',
      ...(isNotEmpty(content) && { content }),
      ...(toolPlan && { tool_plan: toolPlan }),
      ...(calls.length > 0 && { tool_calls: calls }),
    },
  ];
}

function contentOf({ content, refusal }: AssistantMessage, thinking: string | undefined): string | JsonObject[] {
  const text = content ? textContent(content) : '';
  if (!thinking && !refusal) return text;
  const blocks = typeof text === 'string' ? textBlock(text) : text;
  return [...(thinking ? [{ type: 'thinking', thinking }] : []), ...blocks, ...textBlock(refusal ?? '')];
}

function toolCalls({ tool_calls: calls = [] }: AssistantMessage, context: Context): JsonObject[] {
  return calls.map((call) => {
    const [name, text] = calledFunction(call);
    const called = { name: context.names.toApi(name), arguments: argumentsText(text, context.toolArguments) };
    return { id: context.ids.ofCall(call.id), type: 'function', function: called };
  });
}

function calledFunction(call: ToolCall): [name: string, text: string] {
  if (call.type === 'custom') return [call.custom.name, JSON.stringify({ input: call.custom.input })];
  return [call.function.name, call.function.arguments];
}

/** Wraps arguments that are not a JSON object, for example of a truncated call, as text in an object. */
function argumentsText(text: string, toolArguments: ToolArguments): string {
  if (toolArguments.parse(text) === undefined) return JSON.stringify({ arguments: text });
  return text.trim() === '' ? '{}' : text;
}

/** The API refuses empty messages, but each call needs a result. */
const EMPTY_RESULT = '(empty)';

/** Drops empty parts. A text stays a text, and a list stays a list. */
function textContent(content: string | readonly (TextPart | RefusalPart)[]): string | JsonObject[] {
  if (typeof content === 'string') return content;
  return textsOf(content).flatMap(textBlock);
}

/** `path`: the message's path, for errors about unsupported parts. */
function userContent(content: string | readonly ContentPart[], path: string): string | JsonObject[] {
  if (typeof content === 'string') return content;
  return content.flatMap((part, index) => userBlock(part, `${path}.content[${index}]`));
}

/** Whether the content is not empty; the API refuses empty content. */
function isNotEmpty(content: string | readonly JsonObject[]): boolean {
  return typeof content === 'string' ? content.trim() !== '' : content.length > 0;
}

/** Images cannot occur: the adapter does not declare `tool_images`. */
function toolResultText(content: string | readonly (TextPart | ImagePart)[]): string {
  const text =
    typeof content === 'string' ? content : content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
  return text.trim() === '' ? EMPTY_RESULT : text;
}

function textBlock(text: string): JsonObject[] {
  return text.trim() === '' ? [] : [{ type: 'text', text }];
}

/** The API fetches image URLs itself. */
function userBlock(part: ContentPart, path: string): JsonObject[] {
  if (part.type === 'text') return textBlock(part.text);
  if (part.type === 'image_url') {
    const { url, detail } = part.image_url;
    // `ImageUrlDetail` of the package cohere-ai has nothing above `high`.
    const known = detail === 'original' ? 'high' : detail;
    return [{ type: 'image_url', image_url: { url, ...(known && { detail: known }) } }];
  }
  throw unsupportedPart(path, part);
}

/** Text before tool calls: the thoughts of reasoning models, or the plan of others. */
interface Thoughts {
  thinking?: string | undefined;
  toolPlan?: string | undefined;
}

/** Adds the thoughts to the first tool call, so that the client returns them. */
export function withThoughts({ thinking, toolPlan }: Thoughts): ExtraContent {
  if (!thinking && !toolPlan) return {};
  const cohere = { ...(thinking && { thinking }), ...(toolPlan && { tool_plan: toolPlan }) };
  return { extra_content: { cohere } };
}

function returnedThoughts(call: ToolCall | undefined): Thoughts {
  const { thinking, tool_plan: toolPlan } = extraContent(call, 'cohere');
  return { thinking: textOf(thinking), toolPlan: textOf(toolPlan) };
}
