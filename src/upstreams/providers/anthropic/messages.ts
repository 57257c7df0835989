import type { AssistantMessage, ChatMessage, ToolCall } from '../../contract/chat.types.js';
import type { JsonObject } from '../../contract/json.js';
import { trimEnd } from '../shared/claude-prefill.js';
import { isThinking, returnedThoughts } from '../shared/claude-thoughts.js';
import { ToolArguments } from '../shared/tool-arguments.js';
import { ToolCallIds } from '../shared/tool-call-ids.js';
import { type Turn, Turns } from '../shared/turns.js';
import { unsupportedAudio } from '../shared/unsupported.js';
import { cacheControl, textBlock, textBlocks, userBlocks } from './content.js';

export interface Conversation {
  system: JsonObject[];
  turns: Turn<JsonObject>[];
}

/**
 * Converts a conversation: system text is separate, adjacent messages of one role are merged, tool results come first
 * in their turn, empty text is dropped, the first message is the user's and, unless the answer is `prefilled`, the
 * last.
 */
export function toMessages(messages: readonly ChatMessage[], prefilled = false): Conversation {
  const system: JsonObject[] = [];
  const turns = new Turns<JsonObject>(
    (text) => ({ type: 'text', text }),
    ({ type }) => type === 'tool_result',
  );
  const ids = new ToolCallIds(validId);
  const toolArguments = new ToolArguments();
  messages.forEach((message, index) => {
    const path = `messages[${index}]`;
    switch (message.role) {
      case 'system':
      case 'developer':
        system.push(...marked(textBlocks(message.content), message));
        break;
      case 'assistant':
        turns.add('assistant', marked(assistantBlocks(message, { ids, toolArguments, path }), message));
        break;
      case 'tool':
        turns.addResult(toolResult(ids.ofResult(message.tool_call_id), message, path));
        break;
      case 'user':
        turns.add('user', marked(userBlocks(message.content, path), message));
    }
  });
  const conversation = turns.withSystem(system, prefilled);
  if (prefilled) trimEnd(conversation.turns.at(-1)?.content);
  return conversation;
}

/** A message's cache mark moves to its last block. */
function marked(blocks: JsonObject[], message: ChatMessage): JsonObject[] {
  const last = blocks.at(-1);
  if (last && !isThinking(last)) Object.assign(last, cacheControl(message));
  return blocks;
}

interface Context {
  ids: ToolCallIds;
  toolArguments: ToolArguments;
  /** The message's path, for errors. */
  path: string;
}

function assistantBlocks(message: AssistantMessage, context: Context): JsonObject[] {
  const { content, refusal, tool_calls: calls = [], audio } = message;
  const [first, ...others] = calls;
  const blocks: JsonObject[] = first ? returnedThoughts(first, message) : [];
  if (content) blocks.push(...textBlocks(content));
  if (refusal) blocks.push(...textBlock(refusal));
  if (first) blocks.push(toolUse(first, context));
  for (const call of others) blocks.push(...returnedThoughts(call), toolUse(call, context));
  if (blocks.length === 0 && audio) throw unsupportedAudio(context.path);
  return blocks;
}

function toolUse(call: ToolCall, { ids, toolArguments }: Context): JsonObject {
  const { name, input } = toolArguments.of(call);
  return { type: 'tool_use', id: ids.ofCall(call.id), name: validToolName(name), input, ...cacheControl(call) };
}

const VALID = /^[a-zA-Z0-9_-]+$/;

function validId(id: string, nth: number): string {
  const valid = VALID.test(id) ? id : id.replace(/[^a-zA-Z0-9-]/g, (letter) => `_${letter.charCodeAt(0).toString(16)}`);
  return (valid || '_') + '_'.repeat(nth - 1);
}

/** Makes a tool name from history valid: another upstream's model may have used any name. */
function validToolName(name: string): string {
  return VALID.test(name) ? name.slice(0, 128) : name.slice(0, 128).replace(/[^a-zA-Z0-9_-]/g, '_') || '_';
}

type ResultMessage = Extract<ChatMessage, { role: 'tool' }>;

/**
 * A tool result with text and images (`ToolResultBlockParam.content` of the SDK). A part's cache mark moves to the
 * whole result. `path`: the message's path.
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
