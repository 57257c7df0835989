import { invalidRequest } from '../../../common/gateway.error.js';
import type {
  AssistantMessage,
  AudioPart,
  ChatMessage,
  ContentPart,
  FilePart,
  ImagePart,
  ToolCall,
} from '../../contract/chat.types.js';
import type { JsonObject } from '../../contract/json.js';
import type { ProviderCall } from '../../contract/provider.adapter.js';
import { imagesIn } from '../shared/citations.js';
import { base64Data, fileData, hasTextName, type TextContent, textsOf } from '../shared/data-url.js';
import { unsupported, unsupportedAudio } from '../shared/ignored-fields.js';
import { ToolArguments, type ToolRenaming } from '../shared/tool-calls.js';
import { hasPrefill, Turns, unsupportedPrefill } from '../shared/turns.js';
import { acceptsPrefill, callId, isGemini3OrLater } from './endpoint.js';
import { functionNames, NO_SIGNATURE, signatureOf } from './tools.js';

export interface Conversation {
  /** Roles alternate; the user is first and, unless the answer is prefilled, last. No parts are empty. */
  contents: { role: 'user' | 'model'; parts: JsonObject[] }[];
  systemInstruction?: { parts: JsonObject[] };
}

/**
 * System and developer messages move before the conversation. Consecutive messages of one role become one turn, with
 * the results of parallel calls first, in the order of the calls.
 */
export function toMessages(call: ProviderCall): Conversation {
  const turns = new Turns<JsonObject>((text) => ({ text }));
  const instructions: JsonObject[] = [];
  const names = functionNames(call);
  const toolArguments = new ToolArguments();
  const results = new FunctionResults(call, names, toolArguments);

  for (const [index, message] of call.request.messages.entries()) {
    const path = `messages[${index}]`;
    if (message.role !== 'tool') turns.add('user', results.take());
    switch (message.role) {
      case 'system':
      case 'developer':
        instructions.push(...textParts(message.content));
        break;
      case 'user':
        turns.add('user', userParts(message.content, `${path}.content`));
        break;
      case 'assistant':
        turns.add('assistant', modelParts(message, { path, call, names, toolArguments }));
        results.expect(message);
        break;
      case 'tool':
        results.add(message, path);
    }
  }
  turns.add('user', results.take());

  const prefilled = hasPrefill(call);
  if (prefilled && !acceptsPrefill(call)) throw unsupportedPrefill(call);
  const { system, turns: inTurn } = turns.withSystem(instructions, prefilled);
  const contents = inTurn.map(
    ({ role, content }) => ({ role: role === 'user' ? role : 'model', parts: content }) as const,
  );
  return system.length > 0 ? { contents, systemInstruction: { parts: system } } : { contents };
}

interface Context {
  /** The message's path, for errors. */
  path: string;
  call: ProviderCall;
  names: ToolRenaming;
  toolArguments: ToolArguments;
}

/** Earlier output, with its signatures and without its reasoning text. */
function modelParts(message: AssistantMessage, context: Context): JsonObject[] {
  const parts = [...textParts(message.content), ...textParts(message.refusal)];
  if (parts.length === 0 && message.audio) throw unsupportedAudio(context.path);
  const last = parts.at(-1);
  const signature = signatureOf(message);
  if (last && signature !== undefined) last.thoughtSignature = signature;

  const calls = (message.tool_calls ?? []).map((toolCall) => functionCallPart(toolCall, context));
  const [first] = calls;
  if (first && first.thoughtSignature === undefined && isGemini3OrLater(context.call.upstreamModel)) {
    first.thoughtSignature = NO_SIGNATURE;
  }
  return [...parts, ...imageParts(message, context), ...calls];
}

/** Gemini 3 edits its own pictures only with their signatures. */
function imageParts({ images }: AssistantMessage, { call, path }: Context): JsonObject[] {
  return imagesIn(images).map((image) => {
    const signature = signatureOf(image) ?? (isGemini3OrLater(call.upstreamModel) ? NO_SIGNATURE : undefined);
    return { ...imagePart(image, `${path}.images`), ...(signature !== undefined && { thoughtSignature: signature }) };
  });
}

function functionCallPart(toolCall: ToolCall, { call, names, toolArguments }: Context): JsonObject {
  const { name, input } = toolArguments.of(toolCall);
  const signature = signatureOf(toolCall);
  return {
    functionCall: { ...callId(toolCall.id, call), name: names.toApi(name), args: input },
    ...(signature !== undefined && { thoughtSignature: signature }),
  };
}

/** Drops empty text. `path`: the content's path. */
function userParts(content: string | readonly ContentPart[], path: string): JsonObject[] {
  if (typeof content === 'string') return textParts(content);
  return content.flatMap((part, index) => partsOf(part, `${path}[${index}]`));
}

function textParts(content: TextContent): JsonObject[] {
  return textsOf(content)
    .filter((text) => text !== '')
    .map((text) => ({ text }));
}

function partsOf(part: ContentPart, path: string): JsonObject[] {
  switch (part.type) {
    case 'text':
      return textParts(part.text);
    case 'image_url':
      return [imagePart(part, path)];
    case 'input_audio':
      return [audioPart(part)];
    case 'file':
      return [filePart(part, path)];
  }
}

function imagePart({ image_url: { url } }: Pick<ImagePart, 'image_url'>, path: string): JsonObject {
  const image = base64Data(url);
  if (image) return inlineData(image.mediaType, image.data);
  if (isVideo(url)) {
    throw unsupported(`${path}.image_url.url`, 'This is the address of a video. Send the address of an image instead.');
  }
  return { fileData: { fileUri: url, mimeType: typeByName(url) } };
}

const VIDEO_HOST = /(?:^|\.)(?:youtube[a-z-]*\.com|youtube\.googleapis\.com|youtu\.be)\.?$/;

/** Google reads addresses of YouTube as the whole video, whatever type is named. The scheme may be missing. */
function isVideo(url: string): boolean {
  const address = URL.canParse(url) ? url : `https://${url}`;
  return URL.canParse(address) && VIDEO_HOST.test(new URL(address).hostname);
}

/** Google fetches the URL (ai.google.dev, "File input methods"); Vertex AI requires its media type. */
function typeByName(url: string): string {
  const [address = ''] = url.split(/[?#]/, 1);
  return IMAGE_TYPES.get(address.slice(address.lastIndexOf('.') + 1).toLowerCase()) ?? 'image/jpeg';
}

const IMAGE_TYPES: ReadonlyMap<string, string> = new Map([
  ['png', 'image/png'],
  ['webp', 'image/webp'],
  ['heic', 'image/heic'],
  ['heif', 'image/heif'],
  ['gif', 'image/gif'],
]);

function audioPart({ input_audio: { data, format } }: AudioPart): JsonObject {
  return inlineData(format === 'wav' ? 'audio/wav' : 'audio/mpeg', data);
}

/** Base64 without a type is text if the file's name says so, else a PDF. */
function filePart({ file: sent }: FilePart, path: string): JsonObject {
  const content = fileData(sent, path);
  const file = base64Data(content);
  if (file) return inlineData(file.mediaType, file.data);
  return inlineData(hasTextName(sent.filename) ? 'text/plain' : 'application/pdf', content);
}

function inlineData(mimeType: string, data: string): JsonObject {
  return { inlineData: { mimeType, data } };
}

type ResultMessage = Extract<ChatMessage, { role: 'tool' }>;

/** Collects the results of one turn's calls, with the function's names, in the order of the calls. */
class FunctionResults {
  /** The last call with each id: the function's name and its position among all calls. */
  private readonly calls = new Map<string, { name: string; position: number }>();
  private count = 0;
  private gathered: { position: number; part: JsonObject }[] = [];
  /** Images of results, for models that do not accept them there; they follow after all results. */
  private media: JsonObject[] = [];

  constructor(
    private readonly call: ProviderCall,
    private readonly names: ToolRenaming,
    private readonly toolArguments: ToolArguments,
  ) {}

  expect({ tool_calls: toolCalls }: AssistantMessage): void {
    for (const called of toolCalls ?? []) {
      const { name } = called.type === 'function' ? called.function : called.custom;
      this.calls.set(called.id, { name, position: this.count++ });
    }
  }

  add({ tool_call_id: id, content }: ResultMessage, path: string): void {
    const called = this.calls.get(id);
    if (!called) {
      const message = 'No tool call of an earlier assistant message has this id.';
      throw invalidRequest('invalid_value', `${path}.tool_call_id`, message);
    }
    const media = imagesOfResult(content, path);
    const within = media.length > 0 && isGemini3OrLater(this.call.upstreamModel);
    if (!within) this.media.push(...media);
    const functionResponse = {
      ...callId(id, this.call),
      name: this.names.toApi(called.name),
      response: this.responseOf(textIn(content)),
      ...(within && { parts: media }),
    };
    this.gathered.push({ position: called.position, part: { functionResponse } });
  }

  /**
   * The API requires an object: JSON objects are unchanged, anything else becomes `output`. So does an object with a
   * `$ref`, such as a JSON schema, which the API would look up among the result's own media and refuse.
   */
  private responseOf(text: string): JsonObject {
    const value = /^\s*\{/.test(text) && !REFERENCE.test(text) ? this.toolArguments.parse(text) : undefined;
    return value ?? { output: text };
  }

  /** The results since the last call of this function. */
  take(): JsonObject[] {
    if (this.gathered.length === 0) return [];
    const parts = this.gathered.sort((one, other) => one.position - other.position).map(({ part }) => part);
    parts.push(...this.media);
    this.gathered = [];
    this.media = [];
    return parts;
  }
}

const REFERENCE = /"(?:\$|\\u0024)ref"/;

function textIn(content: ResultMessage['content']): string {
  if (typeof content === 'string') return content;
  return content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
}

function imagesOfResult(content: ResultMessage['content'], path: string): JsonObject[] {
  if (typeof content === 'string') return [];
  return content.flatMap((part, index) => (part.type === 'text' ? [] : [imagePart(part, `${path}.content[${index}]`)]));
}
