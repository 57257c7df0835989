import type { ChatMessage } from '../../contract/chat.types.js';
import type { JsonObject } from '../../contract/json.js';
import { assistantMessage } from './assistant-message.js';
import { hasWords, textContent, toolResultText, userContent } from './content.js';
import { ToolCallIds } from './tool-call-ids.js';
import type { ToolNames } from './tool-names.js';

/** What the user says where the caller's conversation holds no word. */
const OPENING = 'Begin.';

/** A conversation as the API takes it: roles in any order, but no message without content, and no call's id twice. */
export function toMessages(conversation: readonly ChatMessage[], names: ToolNames): JsonObject[] {
  const ids = new ToolCallIds();
  const messages = conversation.flatMap((message, index): JsonObject[] => {
    const path = `messages[${index}]`;
    switch (message.role) {
      case 'system':
      case 'developer':
        return spoken('system', textContent(message.content));
      case 'assistant':
        return assistantMessage(message, { ids, names, path });
      case 'tool':
        return [toolResult(ids.ofResult(message.tool_call_id), message.content)];
      case 'user':
        return spoken('user', userContent(message.content, path));
      default:
        return [];
    }
  });
  return messages.length > 0 ? messages : [{ role: 'user', content: OPENING }];
}

function spoken(role: 'system' | 'user', content: string | JsonObject[]): JsonObject[] {
  return hasWords(content) ? [{ role, content }] : [];
}

function toolResult(id: string, content: Parameters<typeof toolResultText>[0]): JsonObject {
  return { role: 'tool', tool_call_id: id, content: toolResultText(content) };
}
