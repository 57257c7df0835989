import { endOfId } from '../../common/completion-id.js';
import type { ChatCompletionRequest, ChatMessage, ChatTool, ToolCall } from '../contract/chat.types.js';
import { isObject } from '../contract/json.js';
import { instanceOf } from './simulated-instance.js';

/** The tools to call: those that `tool_choice` requires, or that the user's last message names. */
export function simulatedCalls(request: ChatCompletionRequest, id: string): ToolCall[] {
  const { tools = [], parallel_tool_calls: parallel } = request;
  const called = calledTools(request);
  return (parallel === false ? called.slice(0, 1) : called).map((tool, index) =>
    toCall(tool, `call_${endOfId(id)}_${index}`, request.seed ?? 1, tools.indexOf(tool)),
  );
}

function calledTools({ tools, tool_choice: choice, messages }: ChatCompletionRequest): ChatTool[] {
  if (!tools || choice === 'none') return [];
  const required = requiredTools(tools, choice);
  const offered = required ?? tools;
  const named = offered.filter((tool) => isNamedIn(messages, nameOf(tool)));
  return required && named.length === 0 ? required.slice(0, 1) : named;
}

/** The tools of which one must be called; undefined if none. */
function requiredTools(
  tools: readonly ChatTool[],
  choice: ChatCompletionRequest['tool_choice'],
): readonly ChatTool[] | undefined {
  if (choice === 'required') return tools;
  if (!isObject(choice)) return undefined;
  if (choice.type === 'allowed_tools') {
    const { mode, tools: allowed } = choice.allowed_tools;
    return mode === 'required'
      ? tools.filter((tool) => allowed.some((one) => nameIn(one) === nameOf(tool)))
      : undefined;
  }
  return tools.filter((tool) => nameOf(tool) === nameIn(choice));
}

/** Whether the last user message names a tool that has not been called since. */
function isNamedIn(messages: readonly ChatMessage[], name: string): boolean {
  const at = messages.findLastIndex(({ role }) => role === 'user');
  const question = messages[at];
  if (question === undefined || messages.slice(at).some(({ role }) => role === 'tool')) return false;
  const words = name.split(/[_\-.\s]+/).map((word) => word.replace(/[^\w]/g, '\\$&'));
  return new RegExp(`(?<!\\w)${words.join('[_\\-.\\s]?')}(?!\\w)`, 'i').test(textOfMessage(question));
}

function textOfMessage({ content }: ChatMessage): string {
  if (content == null || typeof content === 'string') return content ?? '';
  return content.map((part) => (part.type === 'text' ? part.text : '')).join(' ');
}

function toCall(tool: ChatTool, id: string, seed: number, position: number): ToolCall {
  if (tool.type === 'custom') return { id, type: 'custom', custom: { name: tool.custom.name, input: 'simulated' } };
  const { name, parameters } = tool.function;
  const text = parameters ? instanceOf(parameters, seed, `tools[${position}].function.parameters`) : '{}';
  return { id, type: 'function', function: { name, arguments: text.startsWith('{') ? text : '{}' } };
}

function nameOf(tool: ChatTool): string {
  return tool.type === 'custom' ? tool.custom.name : tool.function.name;
}

function nameIn(choice: object): unknown {
  const { function: called, custom } = choice as { function?: { name?: unknown }; custom?: { name?: unknown } };
  return called?.name ?? custom?.name;
}
