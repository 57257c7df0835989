import type { AssistantMessage, ChatMessage, ToolCall } from '../../contract/chat.types.js';
import type { JsonObject } from '../../contract/json.js';
import { textsOf } from '../shared/content-text.js';
import { FUNCTION_NAMES } from '../shared/function-calls.js';
import { shortId } from '../shared/tool-call-ids.js';
import { validName } from '../shared/tool-renaming.js';
import { inputContent } from './content.js';
import { returnedReasoning } from './thoughts.js';

/** "Invalid 'input[2].call_id': string too long. Expected a string with maximum length 64". */
const callId = shortId(64);

/** Converts a conversation to items. Calls and tool results are separate items. */
export function toMessages(messages: readonly ChatMessage[]): JsonObject[] {
  const customCalls = new Set<string>();
  return messages.flatMap((message): JsonObject[] => {
    switch (message.role) {
      case 'assistant':
        for (const call of message.tool_calls ?? []) if (call.type === 'custom') customCalls.add(call.id);
        return assistantItems(message);
      case 'tool': {
        const type = customCalls.has(message.tool_call_id) ? 'custom_tool_call_output' : 'function_call_output';
        return [{ type, call_id: callId(message.tool_call_id), output: inputContent(message.content) }];
      }
      default:
        return [{ type: 'message', role: message.role, content: inputContent(message.content ?? '') }];
    }
  });
}

/**
 * Keeps the order of reasoning, text and calls: "Item 'rs_…' of type 'reasoning' was provided without its required
 * following item."
 */
function assistantItems(message: AssistantMessage): JsonObject[] {
  // A message without an id may only contain text, so refusals become text.
  const text = textsOf(message.content).join('') || (message.refusal ?? '');
  const items = text === '' ? [] : [{ type: 'message', role: 'assistant', content: text }];
  const [first, ...others] = message.tool_calls ?? [];
  if (!first) return items;
  return [
    ...returnedReasoning(first),
    ...items,
    callItem(first),
    ...others.flatMap((call) => [...returnedReasoning(call), callItem(call)]),
  ];
}

function callItem(call: ToolCall): JsonObject {
  if (call.type === 'custom') {
    const { name, input } = call.custom;
    return { type: 'custom_tool_call', call_id: callId(call.id), name, input };
  }
  const { name, arguments: text } = call.function;
  const valid = validName(name, FUNCTION_NAMES);
  return { type: 'function_call', call_id: callId(call.id), name: valid, arguments: text || '{}' };
}
