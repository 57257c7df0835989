import { isObject } from '../../contract/json.js';
import type { MessageText } from './dialect.js';

/** The text parts of a content list, joined. */
export function textParts(parts: readonly unknown[]): MessageText {
  let content = '';
  for (const part of parts) if (isObject(part) && typeof part.text === 'string') content += part.text;
  return { content, reasoning: '' };
}
