import type { ChatCompletionRequest } from '../contract/chat.types.js';
import { isObject, type ReadonlyJsonObject } from '../contract/json.js';
import type { NativeBody } from '../contract/native.body.js';
import {
  countPrompt,
  fieldsTokens,
  mediumTokens,
  optionTokens,
  type PromptScale,
  refers,
  valueTokens,
} from './prompt-walk.js';

/** Lists with parts that a model may read as media; the lists within these parts have the same names. */
const LISTS: ReadonlySet<string> = new Set(['messages', 'input']);
const CONTENTS: readonly string[] = ['content', 'output'];

/**
 * Counts all fields of a request in the form of the Messages or the Responses API, known or not. Media count as such
 * only where these APIs read them: in messages, items and their content.
 */
export function countNative(fields: ReadonlyJsonObject, scale: PromptScale): number {
  let tokens = 0;
  for (const name in fields) {
    if (scale.skipped?.has(name)) continue;
    const value = fields[name];
    tokens += scale.name(name);
    if (!LISTS.has(name) || !Array.isArray(value)) tokens += optionTokens(value, scale);
    else for (const entry of value) tokens += scale.message + contentTokens(entry, scale);
  }
  return tokens;
}

function contentTokens(value: unknown, scale: PromptScale): number {
  if (Array.isArray(value)) return value.reduce((tokens: number, part) => tokens + contentTokens(part, scale), 0);
  if (!isObject(value)) return valueTokens(value, scale);
  return mediaTokens(value, scale) ?? holderTokens(value, scale);
}

/** The tokens of an object whose content is a list of parts. */
function holderTokens(holder: ReadonlyJsonObject, scale: PromptScale): number {
  let tokens = fieldsTokens(holder, scale, ...CONTENTS);
  for (const name of CONTENTS) tokens += contentTokens(holder[name], scale);
  return tokens;
}

/** Undefined for objects that are no media. */
function mediaTokens(part: ReadonlyJsonObject, scale: PromptScale): number | undefined {
  switch (part.type) {
    case 'image':
      return sourceTokens(part, 'image', scale);
    case 'document':
      return sourceTokens(part, 'file', scale);
    case 'input_image':
    case 'computer_screenshot':
      return dataTokens(part, 'image', 'image_url', scale);
    case 'input_file':
      return dataTokens(part, 'file', part.file_url == null ? 'file_data' : 'file_url', scale);
    case 'image_generation_call':
      return (
        fieldsTokens(part, scale, 'result') + (typeof part.result === 'string' ? scale.image(part.result, null) : 0)
      );
    case 'input_audio':
      return isObject(part.input_audio)
        ? fieldsTokens(part, scale, 'input_audio') + dataTokens(part.input_audio, 'audio', 'data', scale)
        : undefined;
    default:
      return isReference(part) ? holderTokens(part, scale) + scale.reference() : undefined;
  }
}

/** A part of another type that names a stored file or an address, such as `container_upload` or `input_video`. */
function isReference(part: ReadonlyJsonObject): boolean {
  const { file_id, source } = part;
  if (file_id != null || (isObject(source) && source.type === 'url')) return true;
  for (const name in part) if (ADDRESSING.test(name) && refers(part[name])) return true;
  return false;
}

const ADDRESSING = /_ur[il]$/;

/** `source` of the Messages API. */
function sourceTokens(part: ReadonlyJsonObject, kind: 'image' | 'file', scale: PromptScale): number | undefined {
  const { source } = part;
  if (!isObject(source)) return undefined;
  const around = fieldsTokens(part, scale, 'source');
  if (source.type === 'url') return around + dataTokens(source, kind, 'url', scale);
  if (source.type === 'file') return around + fieldsTokens(source, scale) + scale.reference();
  if (source.type !== 'base64' || typeof source.data !== 'string') return around + holderTokens(source, scale);
  const medium = kind === 'image' ? scale.image(source.data, null) : scale.file(source.data);
  return around + fieldsTokens(source, scale, 'data') + medium;
}

/** `key`: the field with the data or its URL. Without it, the holder names a stored file. */
function dataTokens(
  holder: ReadonlyJsonObject,
  kind: 'image' | 'audio' | 'file',
  key: string,
  scale: PromptScale,
): number {
  const data = holder[key];
  const medium = typeof data === 'string' ? mediumTokens(data, kind, holder, scale) : valueTokens(data, scale);
  return fieldsTokens(holder, scale, key) + medium + (holder.file_id == null ? 0 : scale.reference());
}

/** A symbol, so that no client can send it. */
const NATIVE_FORM = Symbol('native form');

interface NativeForm {
  readonly api: NativeBody['api'];
  readonly fields: ReadonlyJsonObject;
}

/** A request that is also counted in the form that targets with the client's API receive. */
export function withNativeForm(request: ChatCompletionRequest, { api, fields }: NativeForm): ChatCompletionRequest {
  return { ...request, [NATIVE_FORM]: { api, fields } };
}

export function nativeBodyOf(request: ChatCompletionRequest): NativeForm | undefined {
  return (request as { readonly [NATIVE_FORM]?: NativeForm })[NATIVE_FORM];
}

export function nativeFormOf(request: ChatCompletionRequest): ReadonlyJsonObject | undefined {
  return nativeBodyOf(request)?.fields;
}

/** The kinds of media in the larger form; `reference`: content that the gateway cannot see. */
export function mediaIn(request: ChatCompletionRequest): Set<'image' | 'sound' | 'file' | 'reference'> {
  const kinds = new Set<'image' | 'sound' | 'file' | 'reference'>();
  const found = (kind: 'image' | 'sound' | 'file' | 'reference') => () => {
    kinds.add(kind);
    return 0;
  };
  const none = () => 0;
  countForms(request, {
    ...{ message: 0, skipped: null, skippedWithin: null, text: none, name: none, value: none, empty: none },
    ...{ image: found('image'), audio: found('sound'), file: found('file'), reference: found('reference') },
  });
  return kinds;
}

/** The request without top-level fields that were not sent, in both forms. */
export function withoutUnsent(request: ChatCompletionRequest, fields: readonly string[]): ChatCompletionRequest {
  const native = nativeBodyOf(request);
  const sent = (form: ReadonlyJsonObject) =>
    Object.fromEntries(Object.entries(form).filter(([name]) => !fields.includes(name)));
  if (fields.length === 0) return request;
  const chat = { ...sent(request), model: request.model, messages: request.messages };
  return native ? withNativeForm(chat, { ...native, fields: sent(native.fields) }) : chat;
}

/** The count of the larger form, whichever is sent. */
export function countForms(request: ChatCompletionRequest, scale: PromptScale): number {
  const tokens = countPrompt(request, scale);
  const native = nativeFormOf(request);
  return native ? Math.max(tokens, countNative(native, scale)) : tokens;
}
