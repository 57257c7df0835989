import type { FilePart, RefusalPart, TextPart } from '../../contract/chat.types.js';
import { unsupported } from './ignored-fields.js';

export interface Base64Data {
  /** Type and subtype in lower case: `image/png`. */
  mediaType: string;
  /** Unchanged base64. */
  data: string;
}

/** Throws for files with an id, which the API does not have. `path`: the content part's path. */
export function fileData({ file_data: data, file_id: id }: FilePart['file'], path: string): string {
  if (data != null) return data;
  const field = id == null ? 'file_data' : 'file_id';
  throw unsupported(`${path}.file.${field}`, "This model accepts files only as 'file_data'.");
}

export function hasTextName(filename = ''): boolean {
  return /\.(?:txt|md|markdown|csv|tsv|html?|xml|jsonl?|ya?ml|js|ts|py|log)$/i.test(filename);
}

/** The format of an image as Claude's and Bedrock's APIs name it; undefined for formats that they do not accept. */
export function imageFormat(mediaType: string): string | undefined {
  return /^image\/(png|jpeg|gif|webp)$/.exec(mediaType)?.[1];
}

const MAX_HEAD_LENGTH = 256;

/** Splits a base64 `data:` URL without scanning its content; undefined for other URLs. */
export function base64Data(url: string): Base64Data | undefined {
  const head = /^data:([^;,]+)(?:;[^;,]*)*;base64,/i.exec(url.slice(0, MAX_HEAD_LENGTH));
  const mediaType = head?.[1]?.trim().toLowerCase();
  return head && mediaType ? { mediaType, data: url.slice(head[0].length) } : undefined;
}

export type TextContent = string | readonly (TextPart | RefusalPart)[] | null | undefined;

/** The texts of a content, including refusals. */
export function textsOf(content: TextContent): string[] {
  if (typeof content === 'string') return [content];
  return (content ?? []).map((part) => (part.type === 'refusal' ? part.refusal : part.text));
}
