import type { ChatMessage } from '../../contract/chat.types.js';
import type { JsonObject } from '../../contract/json.js';
import { cacheControl } from './cache-control.js';
import { userBlocks } from './content-blocks.js';

type ResultMessage = Extract<ChatMessage, { role: 'tool' }>;

/**
 * What a tool answered, text and images (`ToolResultBlockParam.content` of the SDK). A cache mark of one of its parts is
 * the whole result's; a result with nothing in it has no content. `path` is that of the message.
 */
export function toolResult(id: string, message: ResultMessage, path: string): JsonObject {
  const content = userBlocks(message.content, path);
  let mark = cacheControl(message);
  for (const block of content) {
    mark = { ...mark, ...cacheControl(block) };
    delete block.cache_control;
  }
  return { type: 'tool_result', tool_use_id: id, ...(content.length > 0 && { content }), ...mark };
}
