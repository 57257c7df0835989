import type {
  AssistantMessage,
  ChatMessage,
  ContentPart,
  TextPart,
  ToolCall,
} from '../../../upstreams/contract/chat.types.js';
import { isObject, type JsonObject } from '../../../upstreams/contract/json.js';
import { decodeReasoning, isOwnReasoning } from '../../shared/carried-reasoning.js';
import { type ResultPart, toolMessage } from '../../shared/tool-arguments.js';
import type {
  ContentBlock,
  MessageParam,
  MessagesRequest,
  TextBlock,
  ThoughtBlock,
  ToolResultBlock,
  ToolUseBlock,
} from '../request/messages.types.js';
import { offeredName } from './chat-tools.js';
import {
  type CacheMark,
  cacheMark,
  documentParts,
  dropCitations,
  imageParts,
  isBlock,
  isHostedTrace,
  type Losses,
  searchResultPart,
  textContent,
  textPart,
} from './content-parts.js';

/** The conversation, with the system text first. Later system messages stay where they are. */
export function toChatMessages(request: MessagesRequest, losses: Losses): ChatMessage[] {
  const messages = request.system ? systemMessages(request.system, 'system', losses) : [];
  for (const [index, message] of request.messages.entries()) {
    messages.push(...toMessages(message, `messages[${index}]`, losses));
  }
  return marked(messages, cacheMark(request, losses));
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
    losses.refuseBlock(`${path}[${index}]`);
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

type Part = ContentPart & CacheMark;

/** A message for each tool result, then the rest of the user's message. */
function toUserMessages(content: string | readonly ContentBlock[], path: string, losses: Losses): ChatMessage[] {
  if (typeof content === 'string') return [{ role: 'user', content }];
  const results: ChatMessage[] = [];
  const parts: Part[] = [];
  content.forEach((block, index) => {
    const at = `${path}.content[${index}]`;
    if (isBlock(block, 'tool_result')) {
      results.push(toolMessage(block.tool_use_id, resultContent(block, at, losses), cacheMark(block, losses)));
    } else {
      parts.push(...userParts(block, at, losses));
    }
  });
  return parts.length > 0 ? [...results, { role: 'user', content: userContent(parts) }] : results;
}

function userContent(parts: readonly Part[]): string | readonly ContentPart[] {
  const [first, ...others] = parts;
  return first?.type === 'text' && others.length === 0 ? (textContent([first]) as string) : parts;
}

function userParts(block: ContentBlock, path: string, losses: Losses): Part[] {
  if (isBlock(block, 'text')) {
    dropCitations(block, path, losses);
    return textPart(block, losses);
  }
  if (isBlock(block, 'image')) return imageParts(block, path, losses);
  if (isBlock(block, 'document')) return documentParts(block, path, losses);
  if (isBlock(block, 'search_result')) return [searchResultPart(block, path, losses)];
  if (isHostedTrace(block)) losses.drop(path);
  else losses.refuseBlock(path);
  return [];
}

/** Plain text unless there are images or files. The inner form has no field for failed tools, so the text says it. */
function resultContent(block: ToolResultBlock, path: string, losses: Losses): string | readonly ResultPart[] {
  const { content, is_error: isError } = block;
  const asGiven = (text: string) => (isError ? asError(text) : text);
  if (typeof content === 'string') return asGiven(content);
  const parts = (content ?? []).flatMap((inner, index) => userParts(inner, `${path}.content[${index}]`, losses));
  const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  const text = asGiven(texts.join('\n'));
  if (texts.length === parts.length) return text;
  const media = parts.filter((part) => part.type !== 'text') as ResultPart[];
  return text === '' ? media : [{ type: 'text', text }, ...media];
}

function asError(text: string): string {
  return /^\W*(?:\w+_)?error/i.test(text) ? text : `Error: ${text}`;
}

/** One message, or none if all its content was left out. */
function toAssistantMessages(content: string | readonly ContentBlock[], path: string, losses: Losses): ChatMessage[] {
  if (typeof content === 'string') return content === '' ? [] : [{ role: 'assistant', content }];
  const texts: (TextPart & CacheMark)[] = [];
  const calls: ToolCall[] = [];
  const thoughts = new ReturnedThoughts();
  content.forEach((block, index) => {
    if (isBlock(block, 'text')) texts.push(...textPart(block, losses));
    else if (isBlock(block, 'tool_use')) calls.push(toToolCall(block, thoughts, losses));
    else if (isBlock(block, 'thinking') || isBlock(block, 'redacted_thinking')) thoughts.read(block);
    else if (isHostedTrace(block) || isBlock(block, 'document')) losses.drop(`${path}.content[${index}]`);
    else losses.refuseBlock(`${path}.content[${index}]`);
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

/** Restores the reasoning of an earlier answer to the tool calls and the message that it belongs to. */
class ReturnedThoughts {
  private call: JsonObject = {};
  private claudes: JsonObject[] = [];
  private message: JsonObject = {};
  private text = '';

  read(block: ThoughtBlock): void {
    const carrier = block.type === 'thinking' ? block.signature : block.data;
    if (!isOwnReasoning(carrier)) {
      this.claudes.push({ ...block });
      return;
    }
    const { call, message } = decodeReasoning(carrier);
    // Spread instead of assignment, so that no key can set the prototype.
    this.call = { ...this.call, ...call };
    if (isObject(message?.extra_content)) this.message.extra_content = message.extra_content;
    if (Array.isArray(message?.reasoning_details)) this.message.reasoning_details = message.reasoning_details;
    if (block.type === 'thinking') this.text += block.thinking;
  }

  /** The fields of the next call. Blocks without our mark are Claude's own. */
  ofNextCall(): { extra_content?: JsonObject } {
    const claudes = this.claudes.length > 0 && { anthropic: { thinking_blocks: this.claudes } };
    const extra = { ...this.call, ...claudes };
    this.call = {};
    this.claudes = [];
    return Object.keys(extra).length > 0 ? { extra_content: extra } : {};
  }

  /** The fields of the message. Some open models need their own reasoning text again. */
  ofMessage(): JsonObject {
    return { ...this.message, ...(this.text !== '' && { reasoning_content: this.text }) };
  }
}
