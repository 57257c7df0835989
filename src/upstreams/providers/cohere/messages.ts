import type { AssistantMessage, ChatMessage, ToolCall } from '../../contract/chat.types.js';
import type { JsonObject } from '../../contract/json.js';
import { ToolArguments } from '../shared/tool-arguments.js';
import { ToolCallIds } from '../shared/tool-call-ids.js';
import type { ToolRenaming } from '../shared/tool-renaming.js';
import { OPENING } from '../shared/turns.js';
import { unsupportedAudio } from '../shared/unsupported.js';
import { isNotEmpty, textBlock, textContent, toolResultText, userContent } from './content.js';
import { returnedThoughts } from './thoughts.js';

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
  return (id || 'call') + '_'.repeat(nth - 1);
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
