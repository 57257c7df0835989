import type { ContentPart, FilePart, ImagePart } from '../../contract/chat.types.js';
import { type TextContent, textsOf } from '../shared/content-text.js';
import { base64Data, imageFormat } from '../shared/data-url.js';
import { unsupported } from '../shared/unsupported.js';
import type { ContentBlock, ImageBlock, TextBlock } from './converse.types.js';

/** `path`: the content's path, for errors. `documentNames`: names used earlier in the conversation. */
export function userBlocks(
  content: string | readonly ContentPart[],
  path: string,
  documentNames: Set<string>,
): ContentBlock[] {
  if (typeof content === 'string') return textBlocks(content);
  const blocks = content.flatMap((part, index) => blocksOfPart(part, `${path}[${index}]`, documentNames));
  const document = blocks.find((block) => 'document' in block);
  if (!document || blocks.some((block) => 'text' in block)) return blocks;
  // The API requires text with a document.
  return [...blocks, { text: document.document.name }];
}

function blocksOfPart(part: ContentPart, path: string, documentNames: Set<string>): ContentBlock[] {
  switch (part.type) {
    case 'text':
      return textBlocks(part.text);
    case 'image_url':
      return [imageBlock(part, path)];
    case 'file':
      return [documentBlock(part, path, documentNames)];
    default:
      throw unsupported(path, 'This model does not accept audio input.');
  }
}

/** The API refuses blank text. */
export function textBlocks(content: TextContent): TextBlock[] {
  return textsOf(content)
    .filter((text) => text.trim() !== '')
    .map((text) => ({ text }));
}

const DOCUMENT_FORMATS = new Map([
  ['application/pdf', 'pdf'],
  ['application/x-pdf', 'pdf'],
  ['text/csv', 'csv'],
  ['application/msword', 'doc'],
  ['application/vnd.openxmlformats-officedocument.wordprocessingml.document', 'docx'],
  ['application/vnd.ms-excel', 'xls'],
  ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 'xlsx'],
  ['text/html', 'html'],
  ['text/plain', 'txt'],
  ['text/markdown', 'md'],
]);
const EXTENSIONS = new Set(DOCUMENT_FORMATS.values());

/** `path`: the part's path, for errors. */
export function imageBlock({ image_url: { url } }: ImagePart, path: string): ImageBlock {
  const image = base64Data(url);
  if (!image) throw unsupported(`${path}.image_url.url`, "Send the image as a base64 'data:' URL.");
  const format = imageFormat(image.mediaType);
  if (!format) throw unsupported(`${path}.image_url.url`, 'This model accepts only PNG, JPEG, GIF and WebP images.');
  return { image: { format, source: { bytes: image.data } } };
}

/** `names`: the names of all documents so far, as names must be unique. The new name is added. */
function documentBlock({ file }: FilePart, path: string, names: Set<string>): ContentBlock {
  const content = file.file_data;
  if (!content) throw unsupported(`${path}.file`, "Send the file's content as 'file_data'.");
  const { mediaType, data } = base64Data(content) ?? { mediaType: '', data: content };
  const filename = file.filename ?? '';
  const format = documentFormat(mediaType, filename, data);
  if (!format) {
    const kinds = [...EXTENSIONS].join(', ');
    throw unsupported(`${path}.file.file_data`, `This model accepts only these file types: ${kinds}.`);
  }
  return { document: { format, name: documentName(filename, names), source: { bytes: data } } };
}

function documentFormat(mediaType: string, filename: string, data: string): string | undefined {
  const extension = filename.slice(filename.lastIndexOf('.') + 1).toLowerCase();
  const format = DOCUMENT_FORMATS.get(mediaType);
  if (format !== undefined) return format;
  if (EXTENSIONS.has(extension)) return extension;
  // The start of a PDF in base64.
  return data.startsWith('JVBERi0') ? 'pdf' : undefined;
}

/** Names may contain letters, digits, single spaces, hyphens, parentheses and square brackets. */
function documentName(filename: string, names: Set<string>): string {
  const stem = filename.replace(/\.[A-Za-z0-9]+$/, '');
  const valid = stem.replace(/[^A-Za-z0-9()[\]-]+/g, ' ').trim();
  const name = valid.slice(0, 150) || 'document';
  let unique = name;
  for (let number = 2; names.has(unique); number += 1) unique = `${name} ${number}`;
  names.add(unique);
  return unique;
}
