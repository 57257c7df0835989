import type { ChatMessage, ContentPart } from '../../../upstreams/contract/chat.types.js';
import type { ContentBlock, ToolResultBlock } from '../request/messages.types.js';
import { type CacheMark, cacheMark } from './cache-mark.js';
import { isHostedTrace } from './hosted-traces.js';
import type { Losses } from './losses.js';
import { documentParts, imagePart, searchResultPart } from './media-parts.js';
import { isBlock, textContent, textPart } from './text-content.js';

type Part = ContentPart & CacheMark;

/** A message for each tool result, then the rest of the user's message. */
export function toUserMessages(content: string | readonly ContentBlock[], path: string, losses: Losses): ChatMessage[] {
  if (typeof content === 'string') return [{ role: 'user', content }];
  const results: ChatMessage[] = [];
  const parts: Part[] = [];
  content.forEach((block, index) => {
    const at = `${path}.content[${index}]`;
    if (isBlock(block, 'tool_result')) {
      const { text, media } = resultParts(block, at, losses);
      results.push({ role: 'tool', tool_call_id: block.tool_use_id, content: text, ...cacheMark(block, losses) });
      parts.push(...media);
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
  if (isBlock(block, 'text')) return textPart(block, losses);
  if (isBlock(block, 'image')) return [imagePart(block, path, losses)];
  if (isBlock(block, 'document')) return documentParts(block, path, losses);
  if (isBlock(block, 'search_result')) return [searchResultPart(block, losses)];
  if (isHostedTrace(block)) losses.dropBlock(block, path);
  else losses.refuseBlock(block, path);
  return [];
}

const ELSEWHERE = '(The images and files of this result are in the next message of the user.)';

/**
 * The text of a tool result, and its images and files, which go into the user's message because few APIs accept them in
 * a result. The inner form has no field for failed tools, so the text says it.
 */
function resultParts(block: ToolResultBlock, path: string, losses: Losses): { text: string; media: Part[] } {
  const { content, is_error: isError, tool_use_id: id } = block;
  const texts: string[] = [];
  const media: Part[] = [];
  if (typeof content === 'string') texts.push(content);
  else {
    for (const [index, inner] of (content ?? []).entries()) {
      for (const part of userParts(inner, `${path}.content[${index}]`, losses)) {
        if (part.type === 'text') texts.push(part.text);
        else media.push(part);
      }
    }
  }
  if (media.length > 0) {
    texts.push(ELSEWHERE);
    media.unshift({ type: 'text', text: `Images and files of the tool result ${id}:` });
  }
  const text = texts.join('\n');
  return { text: isError ? asError(text) : text, media };
}

function asError(text: string): string {
  return /^\W*(?:\w+_)?error/i.test(text) ? text : `Error: ${text}`;
}
