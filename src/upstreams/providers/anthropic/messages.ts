import type {
  AssistantMessage,
  ChatMessage,
  ContentPart,
  FilePart,
  ImagePart,
  RefusalPart,
  TextPart,
  ToolCall,
} from '../../contract/chat.types.js';
import { isObject, type JsonObject, objectOf, objectsOf } from '../../contract/json.js';
import { isThinking, returnedThoughts, trimEnd } from '../shared/claude.js';
import { type Base64Data, base64Data, fileData, hasTextName, imageFormat } from '../shared/data-url.js';
import { unsupported, unsupportedAudio, unsupportedPart } from '../shared/ignored-fields.js';
import { nthOf, ToolArguments, ToolCallIds } from '../shared/tool-calls.js';
import { type Turn, Turns } from '../shared/turns.js';

export interface Conversation {
  system: JsonObject[];
  turns: Turn<JsonObject>[];
}

/**
 * Converts a conversation: system text is separate, adjacent messages of one role are merged, tool results come first
 * in their turn, empty text is dropped, the first message is the user's and, unless the answer is `prefilled`, the
 * last.
 */
export function toMessages(messages: readonly ChatMessage[], prefilled = false): Conversation {
  const system: JsonObject[] = [];
  const turns = new Turns<JsonObject>((text) => ({ type: 'text', text }));
  const ids = new ToolCallIds(validId);
  const toolArguments = new ToolArguments();
  messages.forEach((message, index) => {
    const path = `messages[${index}]`;
    switch (message.role) {
      case 'system':
      case 'developer':
        system.push(...marked(textBlocks(message.content), message));
        break;
      case 'assistant':
        turns.add('assistant', marked(assistantBlocks(message, { ids, toolArguments, path }), message));
        break;
      case 'tool':
        turns.addResult(toolResult(ids.ofResult(message.tool_call_id), message, path));
        break;
      case 'user':
        turns.add('user', marked(userBlocks(message.content, path), message));
    }
  });
  const conversation = turns.withSystem(system, prefilled);
  if (prefilled) trimEnd(conversation.turns.at(-1)?.content);
  return conversation;
}

/** A message's cache mark moves to its last block. */
function marked(blocks: JsonObject[], message: ChatMessage): JsonObject[] {
  const last = blocks.at(-1);
  if (last && !isThinking(last)) Object.assign(last, cacheControl(message));
  return blocks;
}

interface Context {
  ids: ToolCallIds;
  toolArguments: ToolArguments;
  /** The message's path, for errors. */
  path: string;
}

function assistantBlocks(message: AssistantMessage, context: Context): JsonObject[] {
  const { content, refusal, tool_calls: calls = [], audio } = message;
  const [first, ...others] = calls;
  const blocks: JsonObject[] = first ? returnedThoughts(first, message) : [];
  if (content) blocks.push(...textBlocks(content));
  if (refusal) blocks.push(...textBlock(refusal));
  if (first) blocks.push(toolUse(first, context));
  for (const call of others) blocks.push(...returnedThoughts(call), toolUse(call, context));
  if (blocks.length === 0 && audio) throw unsupportedAudio(context.path);
  return blocks;
}

function toolUse(call: ToolCall, { ids, toolArguments }: Context): JsonObject {
  const { name, input } = toolArguments.of(call);
  return { type: 'tool_use', id: ids.ofCall(call.id), name: validToolName(name), input, ...cacheControl(call) };
}

const VALID = /^[a-zA-Z0-9_-]+$/;

function validId(id: string, nth: number): string {
  const valid = VALID.test(id) ? id : id.replace(/[^a-zA-Z0-9-]/g, (letter) => `_${letter.charCodeAt(0).toString(16)}`);
  return nthOf(valid || '_', nth);
}

/** Makes a tool name from history valid: another upstream's model may have used any name. */
function validToolName(name: string): string {
  return VALID.test(name) ? name.slice(0, 128) : name.slice(0, 128).replace(/[^a-zA-Z0-9_-]/g, '_') || '_';
}

type ResultMessage = Extract<ChatMessage, { role: 'tool' }>;

/**
 * A tool result with text and images (`ToolResultBlockParam.content` of the SDK). A part's cache mark moves to the
 * whole result. `path`: the message's path.
 */
function toolResult(id: string, message: ResultMessage, path: string): JsonObject {
  const content = userBlocks(message.content, path);
  let mark = cacheControl(message);
  for (const block of content) {
    mark = { ...mark, ...cacheControl(block) };
    delete block.cache_control;
  }
  return { type: 'tool_result', tool_use_id: id, ...(content.length > 0 && { content }), ...mark };
}

/** Undefined for empty text, which the API refuses. */
function textBlock(text: string, part: object = {}): JsonObject[] {
  return text.trim() === '' ? [] : [{ type: 'text', text, ...cacheControl(part) }];
}

function textBlocks(content: string | readonly (TextPart | RefusalPart)[]): JsonObject[] {
  if (typeof content === 'string') return textBlock(content);
  return content.flatMap((part) => textBlock(part.type === 'refusal' ? part.refusal : part.text, part));
}

/** `path`: the message's path, for errors about unsupported parts. */
function userBlocks(content: string | readonly ContentPart[], path: string): JsonObject[] {
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

/**
 * The mark for the cache: this API's `cache_control`, which callers may add to OpenAI's fields, or OpenAI's own
 * `prompt_cache_breakpoint`. The API caches for five minutes or an hour.
 */
export function cacheControl(marked: object): { cache_control?: JsonObject } {
  const { cache_control: mark, prompt_cache_breakpoint: breakpoint } = objectOf(marked);
  if (isObject(mark)) return { cache_control: mark };
  if (!isObject(breakpoint)) return {};
  return { cache_control: { type: 'ephemeral', ...(breakpoint.ttl === '12h' && { ttl: '1h' }) } };
}

/** "A maximum of 4 blocks with cache_control may be provided." */
const MAX_MARKS = 4;

/**
 * Keeps the last marks of a request, which the API limits and which count most, as each covers everything before it. A
 * mark may not outlive those before it.
 */
export function limitMarks(body: JsonObject): JsonObject {
  const turns = objectsOf(body.messages).flatMap(({ content }) => objectsOf(content));
  const blocks: JsonObject[] = [...objectsOf(body.tools), ...objectsOf(body.system), ...turns];
  const marked = blocks.filter((block) => block.cache_control !== undefined);
  const excess = marked.length - MAX_MARKS + (body.cache_control === undefined ? 0 : 1);
  let isShort = false;
  for (const [at, block] of marked.entries()) {
    const { ttl, ...mark } = objectOf(block.cache_control);
    if (at < excess) delete block.cache_control;
    else if (ttl !== '1h') isShort = true;
    else if (isShort) block.cache_control = mark;
  }
  return body;
}
