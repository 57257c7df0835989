import { isObject } from '../../contract/json.js';
import type { MessageText } from '../openai/dialect.js';
import { textParts } from '../openai/message-text.js';

/** Content as a list, which reasoning models answer with: text, and thinking that is itself a list of texts. */
export function readParts(parts: readonly unknown[]): MessageText {
  let content = '';
  let reasoning = '';
  for (const part of parts) {
    if (!isObject(part)) continue;
    if (part.type === 'thinking') reasoning += thoughtsOf(part.thinking);
    else if (typeof part.text === 'string') content += part.text;
  }
  return { content, reasoning };
}

function thoughtsOf(thinking: unknown): string {
  if (typeof thinking === 'string') return thinking;
  return Array.isArray(thinking) ? textParts(thinking).content : '';
}
