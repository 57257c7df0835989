import type { TextPart } from '../../../upstreams/contract/chat.types.js';
import type { ContentBlock, TextBlock } from '../request/messages.types.js';
import { type CacheMark, cacheMark } from './cache-mark.js';
import type { Losses } from './losses.js';

/** A type guard, since blocks may have types that the gateway does not know. */
export function isBlock<Type extends ContentBlock['type']>(
  block: ContentBlock,
  type: Type,
): block is Extract<ContentBlock, { type: Type }> {
  return block.type === type;
}

/** Empty for empty text, which some APIs refuse. */
export function textPart(block: TextBlock, losses: Losses): (TextPart & CacheMark)[] {
  const { text } = block;
  return text === '' ? [] : [{ type: 'text', text, ...cacheMark(block, losses) }];
}

/** Plain text where nothing is lost: all APIs take it everywhere. */
export function textContent(parts: readonly (TextPart & CacheMark)[]): string | readonly TextPart[] {
  const [first, ...others] = parts;
  return first && others.length === 0 && first.cache_control === undefined ? first.text : parts;
}
