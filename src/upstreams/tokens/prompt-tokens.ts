import type { ChatCompletionRequest } from '../contract/chat.types.js';
import { pixelsOf } from './image-size.js';
import { audioSeconds, PdfReader, type PdfSize } from './media-size.js';
import { countForms, countNative, nativeFormOf } from './native-walk.js';
import { countPrompt, lengthOf, type PromptScale } from './prompt-walk.js';
import type { TokenCounter } from './token-counter.js';

/** OpenAI's overhead for each message, and at the end. */
const TOKENS_PER_MESSAGE = 3;
const TOKENS_AT_THE_END = 3;
/** A high-detail image of 1024 × 1024. */
const TOKENS_PER_IMAGE = 765;
/** Anthropic's rate. Others count about as much for usual sizes. */
const PIXELS_PER_TOKEN = 750;
const LEAST_OF_IMAGE = 85;
/** Larger images are scaled down, unless the request asks for their original size. */
const MOST_OF_IMAGE = 1600;
const MOST_OF_ORIGINAL = 5000;
const CHARACTERS_PER_TOKEN = 4;
/** Digits, with the comma after them. */
const VALUE_CHARACTERS_PER_TOKEN = 2;
/** The highest published rate. */
const TOKENS_PER_AUDIO_SECOND = 32;
/** Tokens of a document's page, and base64 characters per token: between dense text and scans. */
const TOKENS_PER_FILE = 1500;
const FILE_CHARACTERS_PER_TOKEN = 16;
/** Bytes of a document's text per token, as many fonts have two of them for a character. */
const FILE_TEXT_PER_TOKEN = 2;
/** A file or video that the gateway cannot see. */
const TOKENS_PER_REFERENCE = 5000;
/** A part of the translated form. */
const MUCH_MORE = 0.25;

/** Fields of a request that the model does not read, as they control the call. */
const NOT_READ: ReadonlySet<string> = new Set([
  ...[
    'model',
    'user',
    'metadata',
    'stop',
    'service_tier',
    'reasoning_effort',
    'verbosity',
    'modalities',
    'stream_options',
  ],
  ...['safety_identifier', 'prompt_cache_key', 'prompt_cache_retention', 'tool_choice', 'function_call', 'logit_bias'],
  ...['audio', 'web_search_options', 'cache_control'],
]);

/** Fields of messages and their parts that the model does not read, as they only name something. */
const NOT_READ_WITHIN: ReadonlySet<string> = new Set([
  ...['role', 'type', 'tool_call_id', 'detail', 'format', 'cache_control', 'prompt_cache_breakpoint'],
]);

/** Only counts media and the overhead of messages. */
const MEDIA: PromptScale = {
  skipped: NOT_READ,
  skippedWithin: NOT_READ_WITHIN,
  message: TOKENS_PER_MESSAGE,
  image: imageTokens,
  reference: () => TOKENS_PER_REFERENCE,
  text: () => 0,
  name: () => 0,
  value: () => 0,
  empty: () => 0,
  audio: (data) => Math.ceil(audioSeconds(data) * TOKENS_PER_AUDIO_SECOND),
  file: (data) => TOKENS_PER_FILE + Math.ceil(data.length / FILE_CHARACTERS_PER_TOKEN),
};

/** In characters, as integers are faster and this runs for each call. */
const ROUGH: PromptScale = {
  skipped: NOT_READ,
  skippedWithin: NOT_READ_WITHIN,
  message: TOKENS_PER_MESSAGE * CHARACTERS_PER_TOKEN,
  image: () => TOKENS_PER_IMAGE * CHARACTERS_PER_TOKEN,
  reference: () => TOKENS_PER_REFERENCE * CHARACTERS_PER_TOKEN,
  text: (text) => text.length,
  name: (name) => (CONTAINERS.has(name) ? 0 : name.length),
  value: lengthOf,
  empty: () => CHARACTERS_PER_TOKEN,
  audio: (data) => MEDIA.audio(data) * CHARACTERS_PER_TOKEN,
  file: (data) => MEDIA.file(data) * CHARACTERS_PER_TOKEN,
};

/** Names that occur in nearly every request. */
const CONTAINERS: ReadonlySet<string> = new Set([
  ...['messages', 'content', 'text', 'tools', 'temperature', 'max_tokens', 'stream'],
  ...['image_url', 'url', 'input_audio', 'data', 'file', 'file_data', 'audio_url', 'video_url'],
]);

/**
 * Estimates a prompt's tokens: text with a tokenizer, media from their size, PDFs from their pages and their text.
 * `unseen`: the prompt if it has content that the gateway cannot see, or a file whose pages it cannot count; null: a usual
 * size of each. Counts the native form if it says much more than the translated one, not only other names of fields.
 */
export async function countPromptTokens(
  request: ChatCompletionRequest,
  counter: Pick<TokenCounter, 'count'>,
  unseen: number | null = null,
): Promise<number> {
  const tokens = await tokensOf((scale) => countPrompt(request, scale), counter, unseen);
  const native = nativeFormOf(request);
  if (!native) return tokens;
  const more = (countNative(native, ROUGH) - countPrompt(request, ROUGH)) / CHARACTERS_PER_TOKEN;
  return more > tokens * MUCH_MORE ? tokensOf((scale) => countNative(native, scale), counter, unseen) : tokens;
}

async function tokensOf(
  walk: (scale: PromptScale) => number,
  counter: Pick<TokenCounter, 'count'>,
  unseen: number | null,
): Promise<number> {
  const texts: string[] = [];
  let isReferring = false;
  const pdfs = new PdfReader(true);
  const keep = (text: string) => {
    texts.push(text);
    return 0;
  };
  const others = walk({
    ...MEDIA,
    text: keep,
    value: (value) => Math.ceil(lengthOf(value) / VALUE_CHARACTERS_PER_TOKEN),
    empty: () => 1,
    name: (text) => (CONTAINERS.has(text) ? 0 : keep(text)),
    reference() {
      isReferring = true;
      return MEDIA.reference();
    },
    file(data) {
      const size = pdfs.sizeOf(data);
      if (size === null) isReferring = true;
      return Math.max(MEDIA.file(data), size ? pdfTokens(size, unseen ?? Infinity) : 0);
    },
  });
  const tokens = (await counter.count(texts.join('\n'))) + others + TOKENS_AT_THE_END;
  return isReferring && unseen !== null ? Math.max(tokens, unseen) : tokens;
}

/** No prompt is longer than the context. */
function pdfTokens({ pages, textBytes, charactersPerByte }: PdfSize, context: number): number {
  const text = Math.ceil((textBytes * charactersPerByte) / FILE_TEXT_PER_TOKEN);
  return Math.max(pages * TOKENS_PER_FILE, Math.min(text, context));
}

function imageTokens(data: string | null, detail: unknown): number {
  const most = detail === 'original' ? MOST_OF_ORIGINAL : MOST_OF_IMAGE;
  const pixels = data === null ? null : pixelsOf(data);
  if (pixels === null) return most;
  return Math.min(Math.max(Math.ceil(pixels / PIXELS_PER_TOKEN), LEAST_OF_IMAGE), most);
}

/** The part of a prompt's estimated tokens that is sound. */
export function promptSoundTokens(request: ChatCompletionRequest): number {
  const none = () => 0;
  return countForms(request, { ...MEDIA, message: 0, image: none, reference: none, file: none });
}

/** A quick estimate for every call: four characters per token, times the model's factor. */
export function roughPromptTokens(request: ChatCompletionRequest, factor = 1): number {
  return Math.ceil((countForms(request, ROUGH) / CHARACTERS_PER_TOKEN) * factor) + TOKENS_AT_THE_END;
}
