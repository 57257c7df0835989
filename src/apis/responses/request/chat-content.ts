import type {
  ContentPart,
  FilePart,
  ImagePart,
  RefusalPart,
  TextPart,
} from '../../../upstreams/contract/chat.types.js';
import { isObject, type JsonObject, objectsOf, type ReadonlyJsonObject } from '../../../upstreams/contract/json.js';
import type { Translation } from './translation.js';

export function toUserContent(
  content: unknown,
  path: string,
  translation: Translation,
): string | readonly ContentPart[] {
  if (typeof content === 'string') return content;
  const parts = objectsOf(content).map((part, index) => contentPart(part, `${path}[${index}]`, translation));
  return plainText(parts) ?? parts;
}

/** Only text, as no other API accepts anything else in instructions. */
export function toInstructions(content: unknown, path: string, translation: Translation): string | readonly TextPart[] {
  if (typeof content === 'string') return content;
  const parts = objectsOf(content).flatMap((part, index) => {
    if (part.type === 'input_text') return [textPart(part)];
    translation.refuse(`${path}[${index}].type`, 'Send it in a message of the user');
    return [];
  });
  return plainText(parts) ?? parts;
}

export function toAssistantContent(content: unknown): readonly (TextPart | RefusalPart)[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }];
  return objectsOf(content).map((part) =>
    part.type === 'refusal'
      ? { type: 'refusal', refusal: String(part.refusal) }
      : { type: 'text', text: String(part.text) },
  );
}

interface ToolResult {
  readonly content: string | readonly (TextPart | ImagePart)[];
  /** Files, which a tool result cannot contain. */
  readonly files: readonly FilePart[];
}

/** Files move to a message after the results, and the result says so. */
export function toToolResult(output: unknown, path: string, translation: Translation): ToolResult {
  if (typeof output === 'string') return { content: output, files: [] };
  const files: FilePart[] = [];
  const content = objectsOf(output).map((given, index): TextPart | ImagePart => {
    const part = contentPart(given, `${path}[${index}]`, translation);
    if (part.type !== 'file') return part as TextPart | ImagePart;
    files.push(part);
    const name = part.file.filename === undefined ? '' : ` "${part.file.filename}"`;
    return { type: 'text', text: `The file${name} follows in the next message of the user.` };
  });
  return { content: plainText(content) ?? content, files };
}

function contentPart(part: ReadonlyJsonObject, path: string, translation: Translation): ContentPart {
  switch (part.type) {
    case 'input_image':
      return imagePart(part, path, translation);
    case 'input_file':
      return filePart(part, path, translation);
    case 'input_audio':
      return part as unknown as ContentPart;
    default:
      return textPart(part);
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
