import { invalidRequest } from '../../../common/gateway.error.js';
import type { ContentPart, ImagePart, RefusalPart, TextPart } from '../../contract/chat.types.js';
import type { JsonObject } from '../../contract/json.js';
import { base64Data } from '../data-url.js';
import { cacheControl } from './cache-control.js';
import { fileBlock } from './file-block.js';
import { imageBlock } from './image-block.js';

/** Text as a block; none for text without content, which the API refuses. */
export function textBlock(text: string, part: object = {}): JsonObject[] {
  return text.trim() === '' ? [] : [{ type: 'text', text, ...cacheControl(part) }];
}

/** Content that is text alone; a refusal counts as what was said. */
export function textBlocks(content: string | readonly (TextPart | RefusalPart)[]): JsonObject[] {
  if (typeof content === 'string') return textBlock(content);
  return content.flatMap((part) => textBlock(part.type === 'refusal' ? part.refusal : part.text, part));
}

/** `path` is that of the message, for the error about a part that the API cannot take. */
export function userBlocks(content: string | readonly ContentPart[], path: string): JsonObject[] {
  if (typeof content === 'string') return textBlock(content);
  return content.flatMap((part, index) => userBlock(part, `${path}.content[${index}]`));
}

function userBlock(part: ContentPart, path: string): JsonObject[] {
  switch (part.type) {
    case 'text':
      return textBlock(part.text, part);
    case 'image_url':
      return [{ ...addressedImage(part, path), ...cacheControl(part) }];
    case 'file':
      return [{ ...fileBlock(part.file, path), ...cacheControl(part) }];
    default:
      throw invalidRequest('unsupported_value', path, `This model does not take content of the type '${part.type}'.`);
  }
}

/** The API fetches an address itself. */
function addressedImage({ image_url: { url } }: ImagePart, path: string): JsonObject {
  const image = base64Data(url);
  if (!image) return { type: 'image', source: { type: 'url', url } };
  return imageBlock(image, `${path}.image_url.url`);
}
