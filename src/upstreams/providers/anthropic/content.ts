import type { ContentPart, FilePart, ImagePart, RefusalPart, TextPart } from '../../contract/chat.types.js';
import { isObject, type JsonObject } from '../../contract/json.js';
import { type Base64Data, base64Data, fileData, hasTextName, imageFormat } from '../shared/data-url.js';
import { unsupported, unsupportedPart } from '../shared/unsupported.js';

/** Undefined for empty text, which the API refuses. */
export function textBlock(text: string, part: object = {}): JsonObject[] {
  return text.trim() === '' ? [] : [{ type: 'text', text, ...cacheControl(part) }];
}

export function textBlocks(content: string | readonly (TextPart | RefusalPart)[]): JsonObject[] {
  if (typeof content === 'string') return textBlock(content);
  return content.flatMap((part) => textBlock(part.type === 'refusal' ? part.refusal : part.text, part));
}

/** `path`: the message's path, for errors about unsupported parts. */
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
      throw unsupportedPart(path, part);
  }
}

function addressedImage({ image_url: { url } }: ImagePart, path: string): JsonObject {
  const image = base64Data(url);
  if (!image) return { type: 'image', source: { type: 'url', url } };
  return imageBlock(image, `${path}.image_url.url`);
}

export function imageBlock({ mediaType, data }: Base64Data, path: string): JsonObject {
  const format = imageFormat(mediaType);
  if (!format) throw unsupported(path, 'This model accepts only JPEG, PNG, GIF and WebP images.');
  return { type: 'image', source: { type: 'base64', media_type: `image/${format}`, data } };
}

const PDF = 'application/pdf';
/** The start of a PDF in base64. */
const PDF_BEGINNING = 'JVBERi';
const TEXT_TYPE = /^text\/|^application\/(?:json|xml|yaml|x-yaml|x-ndjson)$/;

/** PDFs and text become documents. `path`: the content part's path. */
function fileBlock(sent: FilePart['file'], path: string): JsonObject {
  const { filename } = sent;
  const content = fileData(sent, path);
  const file = base64Data(content) ?? { mediaType: guessedType(content, filename), data: content };
  if (file.mediaType.startsWith('image/')) return imageBlock(file, `${path}.file.file_data`);
  const source = documentSource(file);
  if (!source) throw unsupported(`${path}.file.file_data`, 'This model accepts only PDF, text and image files.');
  return { type: 'document', source, ...(filename && { title: filename }) };
}

function documentSource({ mediaType, data }: Base64Data): JsonObject | undefined {
  if (mediaType === PDF) return { type: 'base64', media_type: PDF, data };
  if (!TEXT_TYPE.test(mediaType)) return undefined;
  return { type: 'text', media_type: 'text/plain', data: Buffer.from(data, 'base64').toString('utf8') };
}

/** Guesses the type of bare base64 by its first bytes, or by the file's name. */
function guessedType(data: string, filename?: string): string {
  if (data.startsWith(PDF_BEGINNING)) return PDF;
  return hasTextName(filename) ? 'text/plain' : '';
}

/** Callers may add this API's `cache_control` to OpenAI's fields. */
export function cacheControl(marked: object): { cache_control?: JsonObject } {
  const mark = 'cache_control' in marked ? marked.cache_control : undefined;
  return isObject(mark) ? { cache_control: mark } : {};
}
