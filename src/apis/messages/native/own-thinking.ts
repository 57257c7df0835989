import { isOwnReasoning } from '../../shared/carried-reasoning.js';
import type { ContentBlock, MessageParam } from '../request/messages.types.js';

/**
 * Leaves out thinking that the gateway created from another provider's reasoning, and messages that hold nothing else.
 * Unchanged messages and an unchanged list remain the same objects, so that they are sent as the received bytes.
 */
export function withoutOwnThinking(messages: readonly MessageParam[]): readonly MessageParam[] {
  if (!messages.some(hasOwnThinking)) return messages;
  return messages.flatMap((message) => {
    if (!hasOwnThinking(message)) return [message];
    const content = message.content.filter((block) => !isOwnThinking(block));
    return content.length > 0 ? [{ ...message, content }] : [];
  });
}

function hasOwnThinking(message: MessageParam): message is MessageParam & { content: readonly ContentBlock[] } {
  return message.role === 'assistant' && Array.isArray(message.content) && message.content.some(isOwnThinking);
}

function isOwnThinking(block: ContentBlock): boolean {
  if (block.type === 'thinking') return isOwnReasoning(block.signature);
  return block.type === 'redacted_thinking' && isOwnReasoning(block.data);
}
