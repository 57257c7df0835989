import { isObject, type JsonObject, type ReadonlyJsonObject } from '../../contract/json.js';
import { textParts } from '../openai/content.js';
import type { MessageText } from '../openai/dialect.js';

/** A content part as one of Mistral's chunks (package mistralai). Documents have a URL; audio is unchanged. */
export function contentChunk(part: ReadonlyJsonObject): JsonObject {
  if (part.type === 'input_audio' && isObject(part.input_audio)) {
    const { data, format } = part.input_audio;
    return { type: 'input_audio', input_audio: { data, format } };
  }
  return part.type === 'file' && isObject(part.file) ? fileChunk(part.file) : part;
}

/** The API accepts a `data:` URL as a document's address. */
function fileChunk({ file_data: data, filename, file_id }: JsonObject): JsonObject {
  if (typeof data !== 'string') return { type: 'file', file_id };
  return {
    type: 'document_url',
    document_url: /^data:/i.test(data) ? data : `data:application/pdf;base64,${data}`,
    ...(typeof filename === 'string' && { document_name: filename }),
  };
}

/** Reasoning models answer with a list of text and of thinking, which is itself a list of texts. */
export function readParts(parts: readonly unknown[]): MessageText {
  let content = '';
  let reasoning = '';
  for (const part of parts) {
    if (!isObject(part)) continue;
    if (part.type === 'thinking') reasoning += thoughtsOf(part.thinking);
    else if (typeof part.text === 'string') content += part.text;
  }
  return { content, reasoning };
}

function thoughtsOf(thinking: unknown): string {
  if (typeof thinking === 'string') return thinking;
  return Array.isArray(thinking) ? textParts(thinking).content : '';
}
