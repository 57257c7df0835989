import type {
  ContentPart,
  FilePart,
  ImagePart,
  RefusalPart,
  TextPart,
} from '../../../upstreams/contract/chat.types.js';
import { isObject, type JsonObject, objectsOf, type ReadonlyJsonObject } from '../../../upstreams/contract/json.js';
import type { ResultPart } from '../../shared/tool-arguments.js';
import { isUnknownPart } from './input.checks.js';
import type { Translation } from './translation.js';

export function toUserContent(
  content: unknown,
  path: string,
  translation: Translation,
): string | readonly ContentPart[] {
  if (typeof content === 'string') return content;
  const parts = contentParts(content, path, translation);
  return plainText(parts) ?? parts;
}

/** Only text, as no other API accepts anything else in instructions. */
export function toInstructions(content: unknown, path: string, translation: Translation): string | readonly TextPart[] {
  if (typeof content === 'string') return content;
  const parts = objectsOf(content).flatMap((part, index) => {
    if (part.type === 'input_text') return [textPart(part)];
    if (isUnknownPart(String(part.type))) translation.refusePart(part, `${path}[${index}]`);
    else translation.refuse(`${path}[${index}].type`, 'Send it in a message of the user');
    return [];
  });
  return plainText(parts) ?? parts;
}

export function toAssistantContent(
  content: unknown,
  path: string,
  translation: Translation,
): readonly (TextPart | RefusalPart)[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }];
  return objectsOf(content).flatMap((part, index): (TextPart | RefusalPart)[] => {
    if (part.type === 'refusal') return [{ type: 'refusal', refusal: String(part.refusal) }];
    if (!isUnknownPart(String(part.type))) return [{ type: 'text', text: String(part.text) }];
    translation.refusePart(part, `${path}[${index}]`);
    return [];
  });
}

export function toToolResult(output: unknown, path: string, translation: Translation): string | readonly ResultPart[] {
  if (typeof output === 'string') return output;
  const parts = contentParts(output, path, translation);
  return plainText(parts) ?? (parts as ResultPart[]);
}

function contentParts(content: unknown, path: string, translation: Translation): ContentPart[] {
  return objectsOf(content).flatMap((part, index) => contentPart(part, `${path}[${index}]`, translation));
}

function contentPart(part: ReadonlyJsonObject, path: string, translation: Translation): ContentPart[] {
  switch (part.type) {
    case 'input_text':
      return [textPart(part)];
    case 'input_image':
      return [imagePart(part, path, translation)];
    case 'input_file':
      return [filePart(part, path, translation)];
    case 'input_audio':
      return [part as unknown as ContentPart];
    default:
      translation.refusePart(part, path);
      return [];
  }
}

function textPart(part: ReadonlyJsonObject): TextPart {
  return { type: 'text', text: String(part.text), ...breakpointOf(part) };
}

function imagePart(part: ReadonlyJsonObject, path: string, translation: Translation): ImagePart {
  const { image_url: url, detail } = part;
  if (typeof url !== 'string') translation.refuse(`${path}.file_id`, "Send the image in 'image_url'");
  const image = { url: String(url ?? ''), ...(detail != null && { detail: detail as 'auto' }) };
  return { type: 'image_url', image_url: image, ...breakpointOf(part) };
}

function filePart(part: ReadonlyJsonObject, path: string, translation: Translation): FilePart {
  if (part.file_url != null) translation.refuse(`${path}.file_url`, "Send the file's content in 'file_data'");
  const file: { filename?: string; file_data?: string; file_id?: string } = {};
  for (const field of ['filename', 'file_data', 'file_id'] as const) {
    const value = part[field];
    if (typeof value === 'string') file[field] = value;
  }
  return { type: 'file', file, ...breakpointOf(part) };
}

function breakpointOf({ prompt_cache_breakpoint: breakpoint }: ReadonlyJsonObject): JsonObject {
  return isObject(breakpoint) ? { prompt_cache_breakpoint: breakpoint } : {};
}

/** A single text part becomes a string, as some APIs accept lists only where they are needed. */
function plainText(parts: readonly (ContentPart | RefusalPart)[]): string | undefined {
  const [only, ...others] = parts;
  if (only === undefined) return '';
  if (others.length > 0 || only.type !== 'text') return undefined;
  return 'prompt_cache_breakpoint' in only ? undefined : only.text;
}
