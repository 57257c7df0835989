import type { ChatCompletionRequest } from '../contract/chat.types.js';
import { isObject, type ReadonlyJsonObject } from '../contract/json.js';
import { hasTextName } from '../providers/shared/data-url.js';
import { NOT_BASE64 } from './media-size.js';

/** The tokens or other units of the pieces of a prompt. */
export interface PromptScale {
  /** Added for each message. */
  readonly message: number;
  /** Fields of the request to ignore; null: none. */
  readonly skipped: ReadonlySet<string> | null;
  /** Fields of messages and their parts to ignore; null: none. */
  readonly skippedWithin: ReadonlySet<string> | null;
  /** A reference to content that the gateway cannot see. */
  reference(): number;
  /** Base64, plain or as a data URL; null: it has an address. `detail`: as the request asks for it. */
  image(data: string | null, detail: unknown): number;
  text(text: string): number;
  name(name: string): number;
  value(value: number | boolean | null): number;
  /** A list or an object without entries. */
  empty(): number;
  /** Base64. */
  audio(data: string): number;
  /** Base64, plain or as a data URL. */
  file(data: string): number;
}

/** `video`: read as one, whatever type its data names. */
export type MediumKind = 'image' | 'audio' | 'file' | 'video';

interface Medium {
  readonly kind: MediumKind;
  /** The key of the data within the part's object. */
  readonly key: string;
}

/** Media parts by `type`, which is also the name of the field with the data. */
const MEDIA: ReadonlyMap<unknown, Medium> = new Map<unknown, Medium>([
  ['image_url', { kind: 'image', key: 'url' }],
  ['input_audio', { kind: 'audio', key: 'data' }],
  ['audio_url', { kind: 'file', key: 'url' }],
  ['video_url', { kind: 'video', key: 'url' }],
  ['file', { kind: 'file', key: 'file_data' }],
]);

/** Set the size to which servers scale an image, and so its tokens: `max_pixels`, `max_dynamic_patch`… */
const SCALING = /_(?:pixels|patch|patches)$/;

const HEAD_LENGTH = 256;
const IMAGE_DATA = /^data:image\//i;
const AUDIO_DATA = /^data:audio\//i;
const DATA_URL = /^data:/i;
const BASE64 = /^data:[^,]*;base64,/i;
/** Data that the model reads as text. */
const TEXT_DATA = /^data:(?:text\/|application\/(?:json|xml|yaml|x-yaml|javascript|[\w.+-]*\+(?:json|xml)))/i;
/** Base64 of the bytes that tell what a file is: readers look for the beginning of a PDF in so many. */
const FILE_HEAD_LENGTH = 1400;
/** `https://…`, `gs://…`, `s3://…` */
const ADDRESS = /^[a-z][a-z\d+.-]*:\/\//i;

/**
 * Counts a whole request, including unknown fields. Only parts of a content list with a media `type` count as media;
 * their other fields count as usual.
 */
export function countPrompt(request: ChatCompletionRequest, scale: PromptScale): number {
  let tokens = 0;
  for (const name in request) {
    if (scale.skipped?.has(name)) continue;
    const value = request[name];
    tokens += scale.name(name) + (name === 'messages' ? messagesTokens(value, scale) : optionTokens(value, scale));
  }
  return tokens;
}

/** A field of the request. Numbers and flags there control the call, so scales that skip such fields skip them, too. */
export function optionTokens(value: unknown, scale: PromptScale): number {
  const isRead = scale.skipped === null || typeof value === 'string' || typeof value === 'object';
  return isRead ? valueTokens(value, scale) : 0;
}

/** Any JSON value, without media. */
export function valueTokens(value: unknown, scale: PromptScale): number {
  if (typeof value === 'string') return scale.text(value);
  if (typeof value !== 'object') return value === undefined ? 0 : scale.value(value as number | boolean);
  if (value === null) return scale.value(null);
  let tokens = 0;
  if (Array.isArray(value)) {
    for (const item of value) tokens += valueTokens(item, scale);
    return value.length === 0 ? scale.empty() : tokens;
  }
  let isEmpty = true;
  for (const name in value) {
    tokens += scale.name(name) + valueTokens(value[name as keyof typeof value], scale);
    isEmpty = false;
  }
  return isEmpty ? scale.empty() : tokens;
}

/** The fields of an object, without the values of `except`. */
export function fieldsTokens(holder: object, scale: PromptScale, ...except: readonly string[]): number {
  let tokens = 0;
  for (const name in holder) {
    if (scale.skippedWithin?.has(name)) continue;
    tokens += scale.name(name);
    if (!except.includes(name)) tokens += valueTokens(holder[name as keyof typeof holder], scale);
  }
  return tokens;
}

/** Of the longest integer that providers read; longer ones are beyond a number here. */
const MOST_DIGITS = 4300;
const SHORT = 1e21;

/** The characters that a value may have been written with: a number here may have had more digits. */
export function lengthOf(value: number | boolean | null): number {
  if (typeof value !== 'number' || Math.abs(value) < SHORT) return String(value).length;
  return Number.isFinite(value) ? Math.ceil(Math.log10(Math.abs(value))) + 2 : MOST_DIGITS;
}

function messagesTokens(messages: unknown, scale: PromptScale): number {
  if (!Array.isArray(messages)) return valueTokens(messages, scale);
  let tokens = 0;
  for (const message of messages) tokens += scale.message + messageTokens(message, scale);
  return tokens;
}

function messageTokens(message: unknown, scale: PromptScale): number {
  if (!isObject(message)) return valueTokens(message, scale);
  const { content, images, audio } = message;
  let tokens = fieldsTokens(message, scale, 'content', 'images') + partsTokens(images, scale);
  // Audio of an earlier answer, stored by the provider.
  if (isObject(audio) && audio.id !== undefined) tokens += scale.reference();
  return tokens + partsTokens(content, scale);
}

function partsTokens(parts: unknown, scale: PromptScale): number {
  if (!Array.isArray(parts)) return valueTokens(parts, scale);
  let tokens = 0;
  for (const part of parts) tokens += isObject(part) ? partTokens(part, scale) : valueTokens(part, scale);
  return tokens;
}

function partTokens(part: ReadonlyJsonObject, scale: PromptScale): number {
  const holder = part[part.type as string];
  const isOfUnknownSize = hasOtherMedium(part) || isScaled(part) || (isObject(holder) && isScaled(holder));
  return typedTokens(part, scale) + (isOfUnknownSize ? scale.reference() : 0);
}

/** Some servers also read the media of parts that have another type. */
function hasOtherMedium(part: ReadonlyJsonObject): boolean {
  for (const name in part) if (name !== part.type && MEDIA.has(name) && part[name] != null) return true;
  return false;
}

function isScaled(holder: ReadonlyJsonObject): boolean {
  for (const name in holder) if (SCALING.test(name)) return true;
  return false;
}

function typedTokens(part: ReadonlyJsonObject, scale: PromptScale): number {
  if (part.type === 'text' || part.type === 'refusal') return fieldsTokens(part, scale);
  const medium = MEDIA.get(part.type);
  if (!medium) return fieldsTokens(part, scale) + (refers(part) ? scale.reference() : 0);
  const name = part.type as string;
  const holder = part[name];
  const others = fieldsTokens(part, scale, name);
  if (typeof holder === 'string') return others + mediumTokens(holder, medium.kind, part, scale);
  if (!isObject(holder)) return others + valueTokens(holder, scale);
  const data = holder[medium.key];
  const around =
    others + fieldsTokens(holder, scale, medium.key) + (refers(holder, medium.key) ? scale.reference() : 0);
  return (
    around + (typeof data === 'string' ? mediumTokens(data, medium.kind, holder, scale) : valueTokens(data, scale))
  );
}

export function mediumTokens(data: string, kind: MediumKind, holder: ReadonlyJsonObject, scale: PromptScale): number {
  const head = data.slice(0, HEAD_LENGTH);
  if (ADDRESS.test(head))
    return scale.text(data) + (kind === 'image' ? scale.image(null, holder.detail) : scale.reference());
  if (kind === 'video') return scale.file(data);
  const named = namedTokens(data, head, kind, holder, scale);
  // Whatever a PDF is called, a model may read it as one.
  return named === null ? scale.file(data) : named + (isPdf(data, head) ? scale.file(data) : 0);
}

/** The tokens of what the data is called; null: any other file. */
function namedTokens(
  data: string,
  head: string,
  kind: MediumKind,
  holder: ReadonlyJsonObject,
  scale: PromptScale,
): number | null {
  if (kind === 'image') {
    if (IMAGE_DATA.test(head)) return scale.image(data, holder.detail);
    if (!DATA_URL.test(head)) return scale.image(data, holder.detail) + scale.text(data);
  }
  if (isText(head, holder) && !isBinary(data, head)) return scale.text(data);
  return kind === 'audio' || AUDIO_DATA.test(head) ? scale.audio(data) : null;
}

function isPdf(data: string, head: string): boolean {
  return firstBytes(data, head).includes('%PDF-');
}

/** Compressed files, whatever they are called, have zeros in their head, which texts have not. */
function isBinary(data: string, head: string): boolean {
  if (DATA_URL.test(head) && !BASE64.test(head)) return false;
  return NOT_BASE64.test(headOf(data, head)) || firstBytes(data, head).includes(0);
}

function firstBytes(data: string, head: string): Buffer {
  return Buffer.from(headOf(data, head), 'base64');
}

function headOf(data: string, head: string): string {
  const start = DATA_URL.test(head) ? head.indexOf(',') + 1 : 0;
  return data.slice(start, start + FILE_HEAD_LENGTH);
}

function isText(head: string, { filename }: ReadonlyJsonObject): boolean {
  if (DATA_URL.test(head)) return TEXT_DATA.test(head);
  return typeof filename === 'string' && hasTextName(filename);
}

/** Whether a value refers to stored content with a file id or a URL. */
export function refers(value: unknown, except: string | null = null): boolean {
  if (typeof value === 'string') return ADDRESS.test(value.slice(0, HEAD_LENGTH));
  if (typeof value !== 'object' || value === null) return false;
  for (const name in value) {
    if (name === except) continue;
    const inner = value[name as keyof typeof value] as unknown;
    if ((name === 'file_id' && inner != null) || refers(inner)) return true;
  }
  return false;
}
