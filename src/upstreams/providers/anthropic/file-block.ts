import { invalidRequest } from '../../../common/gateway.error.js';
import type { FilePart } from '../../contract/chat.types.js';
import type { JsonObject } from '../../contract/json.js';
import { type Base64Data, base64Data } from '../data-url.js';
import { imageBlock } from './image-block.js';

const PDF = 'application/pdf';
/** How base64 begins that holds a PDF. */
const PDF_BEGINNING = 'JVBERi';
const TEXT_TYPE = /^text\/|^application\/(?:json|xml|yaml|x-yaml|x-ndjson)$/;
const TEXT_NAME = /\.(?:txt|md|markdown|csv|tsv|html?|xml|json|jsonl|ya?ml|log)$/i;

/** A file as a document: a PDF as it is, text as text. `path` is that of the content part. */
export function fileBlock({ file_data: content, file_id: id, filename }: FilePart['file'], path: string): JsonObject {
  if (content === undefined) {
    const field = id === undefined ? 'file_data' : 'file_id';
    throw invalidRequest('unsupported_value', `${path}.file.${field}`, "This model takes files as 'file_data' alone.");
  }
  const file = base64Data(content) ?? { mediaType: guessedType(content, filename), data: content };
  if (file.mediaType.startsWith('image/')) return imageBlock(file, `${path}.file.file_data`);
  const source = documentSource(file);
  if (!source) {
    const message = 'This model takes files that are PDF, text or an image.';
    throw invalidRequest('unsupported_value', `${path}.file.file_data`, message);
  }
  return { type: 'document', source, ...(filename && { title: filename }) };
}

function documentSource({ mediaType, data }: Base64Data): JsonObject | undefined {
  if (mediaType === PDF) return { type: 'base64', media_type: PDF, data };
  if (!TEXT_TYPE.test(mediaType)) return undefined;
  return { type: 'text', media_type: 'text/plain', data: Buffer.from(data, 'base64').toString('utf8') };
}

/** The type of bare base64: by what it begins with, or by the file's name. */
function guessedType(data: string, filename = ''): string {
  if (data.startsWith(PDF_BEGINNING)) return PDF;
  return TEXT_NAME.test(filename) ? 'text/plain' : '';
}
