import type { ChatMessage } from '../../chat.types.js';
import type { JsonObject } from '../json.js';
import { cacheControl } from './cache-control.js';
import { textBlocks } from './content-blocks.js';

type ResultMessage = Extract<ChatMessage, { role: 'tool' | 'function' }>;

/** What a tool answered. A cache mark of one of its parts is the whole result's; a result without text has no content. */
export function toolResult(id: string, message: ResultMessage): JsonObject {
  const content = textBlocks(message.content ?? '');
  let mark = cacheControl(message);
  for (const block of content) {
    mark = { ...mark, ...cacheControl(block) };
    delete block.cache_control;
  }
  return { type: 'tool_result', tool_use_id: id, ...(content.length > 0 && { content }), ...mark };
}
