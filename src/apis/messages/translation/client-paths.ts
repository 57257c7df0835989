import type { MessageParam, MessagesRequest } from '../request/messages.types.js';
import { isOwnTool } from '../request/tool.checks.js';
import { systemMessages, toMessages } from './chat-messages.js';
import { Losses } from './losses.js';

/** Fields of the inner form that have another name in the client's request. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ['user', 'metadata.user_id'],
  ['stop', 'stop_sequences'],
  ['parallel_tool_calls', 'tool_choice.disable_parallel_tool_use'],
  ['max_completion_tokens', 'max_tokens'],
]);

/** The client's name of a top-level field of the inner form. */
function clientField(field: string, { output_config: config }: MessagesRequest): string {
  if (field === 'reasoning_effort') return config?.effort ? 'output_config.effort' : 'thinking';
  if (field === 'response_format') return config?.format ? 'output_config.format' : 'output_format';
  return NAMES.get(field) ?? field;
}

/** The client's path of a field of the inner form. */
export function clientPath(path: string, request: MessagesRequest): string {
  const [, list, position = '', rest = ''] = /^(messages|tools)\[(\d+)\](.*)$/.exec(path) ?? [];
  if (list === 'messages') return messagePath(Number(position), rest, request);
  if (list === 'tools') return toolPath(Number(position), rest, request);
  return clientField(path, request);
}

/** A part has the same position as its block only in messages that are translated block by block. */
function messagePath(position: number, rest: string, { system, messages }: MessagesRequest): string {
  const losses = new Losses();
  let left = position - (system ? systemMessages(system, '', losses).length : 0);
  if (left < 0) return 'system';
  for (const [index, message] of messages.entries()) {
    left -= toMessages(message, '', losses).length;
    if (left < 0)
      return `messages[${index}]${keepsPositions(message) ? (/^\.content\[\d+\]/.exec(rest)?.[0] ?? '') : ''}`;
  }
  return 'messages';
}

function keepsPositions({ content }: MessageParam): boolean {
  if (!Array.isArray(content)) return false;
  return content.every(({ type, text }) => type === 'image' || (type === 'text' && text !== ''));
}

function toolPath(position: number, rest: string, { tools }: MessagesRequest): string {
  const own = (tools ?? []).flatMap((tool, index) => (isOwnTool(tool) ? [index] : []));
  const field = rest.replace(/^\.function/, '').replace(/^\.parameters/, '.input_schema');
  return `tools[${own[position] ?? position}]${field}`;
}
