import type { RefusalPart, TextPart } from '../../contract/chat.types.js';
import type { TextBlock } from './converse.types.js';

/** The texts of a content that are not blank: the API refuses those that are. */
export function textBlocks(content: string | readonly (TextPart | RefusalPart)[]): TextBlock[] {
  const texts = typeof content === 'string' ? [content] : content.map(textOfPart);
  return texts.filter((text) => text.trim() !== '').map((text) => ({ text }));
}

function textOfPart(part: TextPart | RefusalPart): string {
  return part.type === 'text' ? part.text : part.refusal;
}
