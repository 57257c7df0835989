import { invalidRequest } from '../../../common/gateway.error.js';
import type { AssistantMessage, ChatMessage, ToolCall } from '../../contract/chat.types.js';
import type { JsonObject } from '../../contract/json.js';
import { toolArguments } from '../tool-arguments.js';
import { cacheControl, textBlock, textBlocks, userBlocks } from './content.js';
import { keptThoughts } from './thoughts.js';
import { ToolIds, validToolName } from './tool-ids.js';

/** A message of the API: roles take turns, and a turn has at least one block. */
export interface Turn {
  role: 'user' | 'assistant';
  content: JsonObject[];
}

export interface Conversation {
  system: JsonObject[];
  turns: Turn[];
}

/** The first and the last word are the user's; these stand in where the caller's conversation has none. */
const OPENING = 'Begin.';
const CLOSING = 'Continue.';

/**
 * A conversation in the API's grammar: instructions apart, neighbours of one role in one turn, tool results at the head
 * of theirs, no text without content, the user first and last.
 */
export function toMessages(messages: readonly ChatMessage[]): Conversation {
  const system: JsonObject[] = [];
  const turns: Turn[] = [];
  const ids = new ToolIds();
  messages.forEach((message, index) => {
    const path = `messages[${index}]`;
    switch (message.role) {
      case 'system':
      case 'developer':
        system.push(...marked(textBlocks(message.content), message));
        break;
      case 'assistant':
        add(turns, 'assistant', marked(assistantBlocks(message, ids, path), message));
        break;
      case 'tool':
        addResult(turns, toolResult(ids.resultOf(message.tool_call_id), message, path));
        break;
      case 'user':
        add(turns, 'user', marked(userBlocks(message.content, path), message));
    }
  });
  if (turns.length === 0) return { system: [], turns: [{ role: 'user', content: orText(system, OPENING) }] };
  if (turns[0]?.role !== 'user') turns.unshift({ role: 'user', content: orText([], OPENING) });
  if (turns.at(-1)?.role !== 'user') add(turns, 'user', orText([], CLOSING));
  return { system, turns };
}

function orText(blocks: JsonObject[], text: string): JsonObject[] {
  return blocks.length > 0 ? blocks : [{ type: 'text', text }];
}

function add(turns: Turn[], role: Turn['role'], blocks: JsonObject[]): void {
  if (blocks.length === 0) return;
  const last = turns.at(-1);
  if (last?.role === role) last.content.push(...blocks);
  else turns.push({ role, content: blocks });
}

function addResult(turns: Turn[], result: JsonObject): void {
  const last = turns.at(-1);
  const place = last?.role === 'user' ? last.content.findIndex(({ type }) => type !== 'tool_result') : -1;
  if (place < 0) add(turns, 'user', [result]);
  else last?.content.splice(place, 0, result);
}

/** A cache mark of the whole message goes to its last block. */
function marked(blocks: JsonObject[], message: ChatMessage): JsonObject[] {
  const last = blocks.at(-1);
  if (last && last.type !== 'thinking' && last.type !== 'redacted_thinking') Object.assign(last, cacheControl(message));
  return blocks;
}

/** What the model said: its thoughts of then as far as the client kept them, its words, its calls. */
function assistantBlocks(message: AssistantMessage, ids: ToolIds, path: string): JsonObject[] {
  const { content, refusal, tool_calls: calls = [], audio } = message;
  const [first, ...others] = calls;
  const blocks = first ? keptThoughts(first, message) : [];
  if (content) blocks.push(...textBlocks(content));
  if (refusal) blocks.push(...textBlock(refusal));
  if (first) blocks.push(toolUse(first, ids));
  for (const call of others) blocks.push(...keptThoughts(call), toolUse(call, ids));
  if (blocks.length === 0 && audio) {
    throw invalidRequest('unsupported_value', `${path}.audio`, 'This model cannot take its answer as audio back.');
  }
  return blocks;
}

/** A call whose arguments are no JSON object, which the API cannot take, keeps them as text in one. */
function toolUse(call: ToolCall, ids: ToolIds): JsonObject {
  const [name, input] =
    call.type === 'custom'
      ? [call.custom.name, { input: call.custom.input }]
      : [call.function.name, toolArguments(call.function.arguments) ?? { arguments: call.function.arguments }];
  return { type: 'tool_use', id: ids.callOf(call.id), name: validToolName(name), input, ...cacheControl(call) };
}

type ResultMessage = Extract<ChatMessage, { role: 'tool' }>;

/**
 * What a tool answered, text and images (`ToolResultBlockParam.content` of the SDK). A cache mark of one of its parts is
 * the whole result's; a result with nothing in it has no content. `path` is that of the message.
 */
function toolResult(id: string, message: ResultMessage, path: string): JsonObject {
  const content = userBlocks(message.content, path);
  let mark = cacheControl(message);
  for (const block of content) {
    mark = { ...mark, ...cacheControl(block) };
    delete block.cache_control;
  }
  return { type: 'tool_result', tool_use_id: id, ...(content.length > 0 && { content }), ...mark };
}
