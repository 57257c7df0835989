import type { ChatMessage } from '../../contract/chat.types.js';
import type { JsonObject } from '../../contract/json.js';
import { assistantBlocks } from './assistant-blocks.js';
import { cacheControl } from './cache-control.js';
import { textBlocks, userBlocks } from './content-blocks.js';
import { ToolIds } from './tool-ids.js';
import { toolResult } from './tool-result.js';

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
export function toConversation(messages: readonly ChatMessage[]): Conversation {
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
