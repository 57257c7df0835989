import type { ChatMessage, TextPart } from '../../../upstreams/contract/chat.types.js';
import type { MessageParam, MessagesRequest, TextBlock } from '../request/messages.types.js';
import { toAssistantMessages } from './assistant-message.js';
import { type CacheMark, cacheMark } from './cache-mark.js';
import type { Losses } from './losses.js';
import { isBlock, textContent, textPart } from './text-content.js';
import { toUserMessages } from './user-messages.js';

/** The conversation, with the system text first. Later system messages stay where they are, but after tool results. */
export function toChatMessages(request: MessagesRequest, losses: Losses): ChatMessage[] {
  const messages = request.system ? systemMessages(request.system, 'system', losses) : [];
  for (const [index, message] of request.messages.entries()) {
    for (const translated of toMessages(message, `messages[${index}]`, losses)) {
      messages.splice(positionOf(translated, messages), 0, translated);
    }
  }
  return marked(messages, cacheMark(request, losses));
}

/** A tool result must directly follow its call: APIs refuse other messages in between. */
function positionOf({ role }: ChatMessage, messages: readonly ChatMessage[]): number {
  let position = messages.length;
  if (role === 'tool') while (messages[position - 1]?.role === 'system') position--;
  return position;
}

export function toMessages(message: MessageParam, path: string, losses: Losses): ChatMessage[] {
  const { role } = message;
  // A system message may have no content, or null.
  const content = message.content ?? [];
  if (role === 'assistant') return toAssistantMessages(content, path, losses);
  if (role === 'user') return toUserMessages(content, path, losses);
  return systemMessages(content as string | readonly TextBlock[], `${path}.content`, losses);
}

export function systemMessages(content: string | readonly TextBlock[], path: string, losses: Losses): ChatMessage[] {
  if (typeof content === 'string') return content === '' ? [] : [{ role: 'system', content }];
  const parts = content.flatMap((block, index) => {
    if (isBlock(block, 'text')) return textPart(block, losses);
    losses.refuseBlock(block, `${path}[${index}]`);
    return [];
  });
  return parts.length > 0 ? [{ role: 'system', content: textContent(parts) }] : [];
}

/** The mark of a whole request becomes the mark of its last part. */
function marked(messages: ChatMessage[], mark: CacheMark): ChatMessage[] {
  const last = messages.at(-1);
  if (!last || mark.cache_control === undefined) return messages;
  const { content } = last;
  const parts = typeof content === 'string' ? [{ type: 'text', text: content } satisfies TextPart] : content;
  if (last.role === 'tool' || !Array.isArray(parts)) return [...messages.slice(0, -1), { ...mark, ...last }];
  const withMark = [...parts.slice(0, -1), { ...mark, ...parts.at(-1) }];
  return [...messages.slice(0, -1), { ...last, content: withMark } as ChatMessage];
}
