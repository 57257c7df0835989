import type { AssistantMessage, ChatMessage, TextPart, ToolCall } from '../../../upstreams/contract/chat.types.js';
import type { ContentBlock, ToolUseBlock } from '../request/messages.types.js';
import { type CacheMark, cacheMark } from './cache-mark.js';
import { isHostedTrace } from './hosted-traces.js';
import type { Losses } from './losses.js';
import { ReturnedThoughts } from './returned-thoughts.js';
import { isBlock, textContent, textPart } from './text-content.js';
import { offeredName } from './tool-names.js';

/** One message, or none if all its content was left out. */
export function toAssistantMessages(
  content: string | readonly ContentBlock[],
  path: string,
  losses: Losses,
): ChatMessage[] {
  if (typeof content === 'string') return content === '' ? [] : [{ role: 'assistant', content }];
  const texts: (TextPart & CacheMark)[] = [];
  const calls: ToolCall[] = [];
  const thoughts = new ReturnedThoughts();
  content.forEach((block, index) => {
    if (isBlock(block, 'text')) texts.push(...textPart(block, losses));
    else if (isBlock(block, 'tool_use')) calls.push(toToolCall(block, thoughts, losses));
    else if (isBlock(block, 'thinking') || isBlock(block, 'redacted_thinking')) thoughts.read(block);
    else if (isHostedTrace(block)) losses.dropBlock(block, `${path}.content[${index}]`);
    else losses.refuseBlock(block, `${path}.content[${index}]`);
  });
  if (texts.length === 0 && calls.length === 0) return [];
  const message: AssistantMessage = {
    role: 'assistant',
    content: texts.length > 0 ? textContent(texts) : null,
    ...(calls.length > 0 && { tool_calls: calls }),
    ...thoughts.ofMessage(),
  };
  return [message];
}

function toToolCall(block: ToolUseBlock, thoughts: ReturnedThoughts, losses: Losses): ToolCall {
  const { id, name, input } = block;
  return {
    id,
    type: 'function',
    function: { name: offeredName(name), arguments: JSON.stringify(input) },
    ...thoughts.ofNextCall(),
    ...cacheMark(block, losses),
  };
}
