import type { ContentPart, ImagePart, RefusalPart, TextPart } from '../../contract/chat.types.js';
import type { JsonObject } from '../../contract/json.js';
import { textsOf } from '../shared/content-text.js';
import { unsupportedPart } from '../shared/unsupported.js';

/** The API refuses empty messages, but each call needs a result. */
const EMPTY_RESULT = '(empty)';

/** Drops empty parts. A text stays a text, and a list stays a list. */
export function textContent(content: string | readonly (TextPart | RefusalPart)[]): string | JsonObject[] {
  if (typeof content === 'string') return content;
  return textsOf(content).flatMap(textBlock);
}

/** `path`: the message's path, for errors about unsupported parts. */
export function userContent(content: string | readonly ContentPart[], path: string): string | JsonObject[] {
  if (typeof content === 'string') return content;
  return content.flatMap((part, index) => userBlock(part, `${path}.content[${index}]`));
}

/** Whether the content is not empty; the API refuses empty content. */
export function isNotEmpty(content: string | readonly JsonObject[]): boolean {
  return typeof content === 'string' ? content.trim() !== '' : content.length > 0;
}

/** Images cannot occur: the adapter does not declare `tool_images`. */
export function toolResultText(content: string | readonly (TextPart | ImagePart)[]): string {
  const text =
    typeof content === 'string' ? content : content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
  return text.trim() === '' ? EMPTY_RESULT : text;
}

export function textBlock(text: string): JsonObject[] {
  return text.trim() === '' ? [] : [{ type: 'text', text }];
}

/** The API fetches image URLs itself. */
function userBlock(part: ContentPart, path: string): JsonObject[] {
  if (part.type === 'text') return textBlock(part.text);
  if (part.type === 'image_url') {
    const { url, detail } = part.image_url;
    // `ImageUrlDetail` of the package cohere-ai has nothing above `high`.
    const known = detail === 'original' ? 'high' : detail;
    return [{ type: 'image_url', image_url: { url, ...(known && { detail: known }) } }];
  }
  throw unsupportedPart(path, part);
}
