import { invalidRequest } from '../../../common/gateway.error.js';
import type { ContentPart, ImagePart, RefusalPart, TextPart } from '../../contract/chat.types.js';
import type { JsonObject } from '../../contract/json.js';

/** What a tool answered that answered nothing: the API refuses empty messages, and a call must have its result. */
const EMPTY_RESULT = '(empty)';

/** Text in the form in which it came, without empty parts; a refusal counts as what was said. */
export function textContent(content: string | readonly (TextPart | RefusalPart)[]): string | JsonObject[] {
  if (typeof content === 'string') return content;
  return content.flatMap((part) => textBlock(part.type === 'refusal' ? part.refusal : part.text));
}

/** `path` is that of the message, for the error about a part that the API cannot take. */
export function userContent(content: string | readonly ContentPart[], path: string): string | JsonObject[] {
  if (typeof content === 'string') return content;
  return content.flatMap((part, index) => userBlock(part, `${path}.content[${index}]`));
}

/** Whether there is anything in it: a text without content is refused. */
export function hasWords(content: string | readonly JsonObject[]): boolean {
  return typeof content === 'string' ? content.trim() !== '' : content.length > 0;
}

/** The text of a tool's result; an image never comes here, since the adapter does not declare that it takes one. */
export function toolResultText(content: string | readonly (TextPart | ImagePart)[]): string {
  const text =
    typeof content === 'string' ? content : content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
  return text.trim() === '' ? EMPTY_RESULT : text;
}

export function textBlock(text: string): JsonObject[] {
  return text.trim() === '' ? [] : [{ type: 'text', text }];
}

/** The API fetches the address of an image itself. */
function userBlock(part: ContentPart, path: string): JsonObject[] {
  if (part.type === 'text') return textBlock(part.text);
  if (part.type === 'image_url') {
    const { url, detail } = part.image_url;
    // `ImageUrlDetail` of the package cohere-ai ends with `high`.
    const known = detail === 'original' ? 'high' : detail;
    return [{ type: 'image_url', image_url: { url, ...(known && { detail: known }) } }];
  }
  throw invalidRequest('unsupported_value', path, `This model does not take content of the type '${part.type}'.`);
}
