import type { AudioPart, ContentPart, FilePart, ImagePart } from '../../contract/chat.types.js';
import type { JsonObject } from '../../contract/json.js';
import { type TextContent, textsOf } from '../shared/content-text.js';
import { base64Data, fileData, hasTextName } from '../shared/data-url.js';

/** Drops empty text. `path`: the content's path. */
export function userParts(content: string | readonly ContentPart[], path: string): JsonObject[] {
  if (typeof content === 'string') return textParts(content);
  return content.flatMap((part, index) => partsOf(part, `${path}[${index}]`));
}

export function textParts(content: TextContent): JsonObject[] {
  return textsOf(content)
    .filter((text) => text !== '')
    .map((text) => ({ text }));
}

function partsOf(part: ContentPart, path: string): JsonObject[] {
  switch (part.type) {
    case 'text':
      return textParts(part.text);
    case 'image_url':
      return [imagePart(part)];
    case 'input_audio':
      return [audioPart(part)];
    case 'file':
      return [filePart(part, path)];
  }
}

export function imagePart({ image_url: { url } }: ImagePart): JsonObject {
  const image = base64Data(url);
  if (image) return inlineData(image.mediaType, image.data);
  return { fileData: { fileUri: url, mimeType: typeByName(url) } };
}

/** Google fetches the URL (ai.google.dev, "File input methods"); Vertex AI requires its media type. */
function typeByName(url: string): string {
  const [address = ''] = url.split(/[?#]/, 1);
  return IMAGE_TYPES.get(address.slice(address.lastIndexOf('.') + 1).toLowerCase()) ?? 'image/jpeg';
}

const IMAGE_TYPES: ReadonlyMap<string, string> = new Map([
  ['png', 'image/png'],
  ['webp', 'image/webp'],
  ['heic', 'image/heic'],
  ['heif', 'image/heif'],
  ['gif', 'image/gif'],
]);

function audioPart({ input_audio: { data, format } }: AudioPart): JsonObject {
  return inlineData(format === 'wav' ? 'audio/wav' : 'audio/mpeg', data);
}

/** Base64 without a type is text if the file's name says so, else a PDF. */
function filePart({ file: sent }: FilePart, path: string): JsonObject {
  const content = fileData(sent, path);
  const file = base64Data(content);
  if (file) return inlineData(file.mediaType, file.data);
  return inlineData(hasTextName(sent.filename) ? 'text/plain' : 'application/pdf', content);
}

function inlineData(mimeType: string, data: string): JsonObject {
  return { inlineData: { mimeType, data } };
}
