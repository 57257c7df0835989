import { invalidRequest } from '../../../common/gateway.error.js';
import type { AudioPart, ContentPart, FilePart, ImagePart } from '../../chat.types.js';
import { base64Data } from '../data-url.js';
import type { JsonObject } from '../json.js';

/** The content of a user's message as parts; text without a character is none. `path` is the content's. */
export function userParts(content: string | readonly ContentPart[], path: string): JsonObject[] {
  if (typeof content === 'string') return textParts(content);
  return content.flatMap((part, index) => partsOf(part, `${path}[${index}]`));
}

/** Text, alone or in parts, as parts. */
export function textParts(content: string | readonly { text?: string; refusal?: string }[]): JsonObject[] {
  const texts = typeof content === 'string' ? [content] : content.map(({ text, refusal }) => text ?? refusal ?? '');
  return texts.filter((text) => text !== '').map((text) => ({ text }));
}

function partsOf(part: ContentPart, path: string): JsonObject[] {
  switch (part.type) {
    case 'text':
      return textParts(part.text);
    case 'image_url':
      return [imagePart(part, path)];
    case 'input_audio':
      return [audioPart(part)];
    case 'file':
      return [filePart(part, path)];
  }
}

function imagePart({ image_url: { url } }: ImagePart, path: string): JsonObject {
  const image = base64Data(url);
  if (image) return inlineData(image.mediaType, image.data);
  const message = "This model takes images only as base64: send a 'data:' URL.";
  throw invalidRequest('unsupported_value', `${path}.image_url.url`, message);
}

function audioPart({ input_audio: { data, format } }: AudioPart): JsonObject {
  return inlineData(format === 'wav' ? 'audio/wav' : 'audio/mpeg', data);
}

const TEXT_NAME = /\.(?:txt|md|markdown|csv|tsv|html?|xml|json|jsonl|ya?ml|log)$/i;

/** Base64 that comes without its type is text by the file's name, or a PDF. */
function filePart({ file: { file_data: content, file_id: id, filename } }: FilePart, path: string): JsonObject {
  if (content == null) {
    const field = id == null ? 'file_data' : 'file_id';
    throw invalidRequest('unsupported_value', `${path}.file.${field}`, "This model takes files as 'file_data' alone.");
  }
  const file = base64Data(content);
  if (file) return inlineData(file.mediaType, file.data);
  return inlineData(TEXT_NAME.test(filename ?? '') ? 'text/plain' : 'application/pdf', content);
}

function inlineData(mimeType: string, data: string): JsonObject {
  return { inlineData: { mimeType, data } };
}
