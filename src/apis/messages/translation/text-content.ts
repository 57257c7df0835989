import type { TextPart } from '../../../upstreams/contract/chat.types.js';
import type { ContentBlock, TextBlock } from '../request/messages.types.js';
import { type CacheMark, cacheMark } from './cache-mark.js';
import type { Losses } from './losses.js';

export function isBlock<Type extends ContentBlock['type']>(
  block: ContentBlock,
  type: Type,
): block is Extract<ContentBlock, { type: Type }> {
  return block.type === type;
}

/** Empty for an empty text, as some APIs refuse empty texts. */
export function textPart(block: TextBlock, losses: Losses): (TextPart & CacheMark)[] {
  const { text } = block;
  return text === '' ? [] : [{ type: 'text', text, ...cacheMark(block, losses) }];
}

/** A plain string if nothing is lost, as all APIs accept strings everywhere. */
export function textContent(parts: readonly (TextPart & CacheMark)[]): string | readonly TextPart[] {
  const [first, ...others] = parts;
  return first && others.length === 0 && first.cache_control === undefined ? first.text : parts;
}
