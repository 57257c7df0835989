import type { ContentPart } from '../../contract/chat.types.js';
import { isObject, type JsonObject, withoutNulls } from '../../contract/json.js';

export function inputContent(content: string | readonly ContentPart[]): string | JsonObject[] {
  return typeof content === 'string' ? content : content.map(inputPart);
}

function inputPart(part: ContentPart): JsonObject {
  const breakpoint = (part as { prompt_cache_breakpoint?: unknown }).prompt_cache_breakpoint;
  return { ...typedPart(part), ...(isObject(breakpoint) && { prompt_cache_breakpoint: breakpoint }) };
}

function typedPart(part: ContentPart): JsonObject {
  switch (part.type) {
    case 'image_url':
      return { type: 'input_image', image_url: part.image_url.url, detail: part.image_url.detail ?? 'auto' };
    case 'file': {
      const { filename, file_data, file_id } = part.file;
      return { type: 'input_file', ...withoutNulls({ filename, file_data, file_id }) };
    }
    case 'input_audio':
      return { type: 'input_audio', input_audio: part.input_audio };
    default:
      return { type: 'input_text', text: part.text };
  }
}
