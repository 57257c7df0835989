import type { ChatCompletionRequest } from '../contract/chat.types.js';
import { isObject } from '../contract/json.js';
import { PdfReader } from './media-size.js';
import { countForms, nativeFormOf } from './native-walk.js';
import { lengthOf, type PromptScale, valueTokens } from './prompt-walk.js';

/** Overhead for the whole conversation, and for descriptions of tools. */
const TOKENS_AROUND = 8;
const TOKENS_FOR_TOOLS = 700;
/** What the provider tells the model about a tool of its own type, or a set of them. */
const TOKENS_PER_TYPED_TOOL = 2000;
const TOKENS_PER_TOOLSET = 8000;
const DESCRIBED_TYPES: ReadonlySet<string> = new Set(['function', 'custom', 'namespace']);
/** More than current tokenizers count for a scaled image. If an image costs more, the ledger charges that. */
const TOKENS_PER_IMAGE = 5000;
const TOKENS_PER_SOUND = 5000;
const TOKENS_PER_PAGE = 5000;
/** For base64, as audio and documents have far fewer tokens than characters. */
const CHARACTERS_PER_TOKEN_OF_A_FILE = 4;
/** Of the text that a page's inflated content can mean. */
const CHARACTERS_PER_TOKEN_OF_A_PAGE = 4;
/** Shortest first. */
const LIFETIMES: readonly RequestedLifetime[] = ['5m', '30m', '1h', '12h'];
const CACHE_FIELDS: ReadonlySet<string> = new Set(['cache_control', 'prompt_cache_breakpoint', 'prompt_cache_options']);

/** Sets the size to which servers scale images, and so their tokens. */
const SCALING_FIELD = 'mm_processor_kwargs';

/** Quotes, colon and comma around a name and its value. */
const BYTES_PER_ENTRY = 6;
/** The longest usual number in JSON. */
const BYTES_PER_NUMBER = 25;
const SMALL_NUMBER = 100_000_000;
const BYTES_PER_SMALL_VALUE = 8;

/** Counts bytes, as a token has at least one byte of UTF-8 with any tokenizer. */
const SCALE: PromptScale = {
  message: 8,
  image: () => TOKENS_PER_IMAGE,
  skipped: null,
  skippedWithin: null,
  reference: () => 0,
  text: (text) => Buffer.byteLength(text),
  name: (name) => Buffer.byteLength(name) + BYTES_PER_ENTRY,
  value: (value) =>
    typeof value === 'number' && !isSmall(value) ? Math.max(BYTES_PER_NUMBER, lengthOf(value)) : BYTES_PER_SMALL_VALUE,
  empty: () => BYTES_PER_SMALL_VALUE,
  audio: (data) => TOKENS_PER_SOUND + bytesTokens(data),
  file: bytesTokens,
};

/** As requests name them: Anthropic's and Bedrock's for five minutes or an hour, OpenAI's for 30 minutes or 12 hours. */
export type RequestedLifetime = '5m' | '30m' | '1h' | '12h';

export interface PromptCeiling {
  readonly tokens: number;
  /** The longest requested cache lifetime; null: none. */
  readonly cacheWrites: RequestedLifetime | null;
}

/**
 * An upper bound of a prompt's tokens with any tokenizer. More content never lowers it. References to content that the
 * gateway cannot see, and files whose pages it cannot count, count as the model's whole context. `schemaGrowth`: how many
 * times as large schemas with references may become. Fast, as it runs for each call with a budget, and generous, as output
 * tokens dominate the cost.
 */
export function promptCeiling(request: ChatCompletionRequest, contextLength: number, schemaGrowth = 1): PromptCeiling {
  let isReferring = false;
  let isCached = false;
  let hasReferences = false;
  let longest = 0;
  const pdfs = new PdfReader();
  const scale: PromptScale = {
    ...SCALE,
    reference() {
      isReferring = true;
      return 0;
    },
    file(data) {
      const size = pdfs.sizeOf(data);
      if (size === null) {
        isReferring = true;
        return SCALE.file(data);
      }
      return Math.max(
        SCALE.file(data),
        size.pages * TOKENS_PER_PAGE,
        Math.ceil((size.contentBytes * size.charactersPerByte) / CHARACTERS_PER_TOKEN_OF_A_PAGE),
      );
    },
    name(name) {
      if (CACHE_FIELDS.has(name)) isCached = true;
      if (name === '$ref') hasReferences = true;
      if (name === SCALING_FIELD) isReferring = true;
      return SCALE.name(name);
    },
    text(text) {
      if (text.length <= 3) longest = Math.max(longest, LIFETIMES.indexOf(text as RequestedLifetime));
      return SCALE.text(text);
    },
  };
  const hasTools = Boolean(request.tools?.length || request.functions);
  const counted = TOKENS_AROUND + (hasTools ? TOKENS_FOR_TOOLS : 0) + typedTools(request) + countForms(request, scale);
  const written = counted + (hasReferences ? (schemaGrowth - 1) * schemaTokens(request) : 0);
  const tokens = isReferring ? Math.max(written, contextLength) : written;
  return { tokens, cacheWrites: isCached ? (LIFETIMES[longest] ?? '5m') : null };
}

/** Requests only name the types of such tools. */
function typedTools(request: ChatCompletionRequest): number {
  const tools = nativeFormOf(request)?.tools ?? request.tools;
  if (!Array.isArray(tools)) return 0;
  return tools.reduce((tokens: number, tool: unknown) => {
    const type = isObject(tool) ? tool.type : undefined;
    if (typeof type !== 'string' || DESCRIBED_TYPES.has(type)) return tokens;
    return tokens + (type.includes('toolset') ? TOKENS_PER_TOOLSET : TOKENS_PER_TYPED_TOOL);
  }, 0);
}

function schemaTokens({ tools, functions, response_format: format }: ChatCompletionRequest): number {
  return valueTokens([tools, functions, format], SCALE);
}

/** Output tokens that a prediction may add, as providers charge its rejected parts as output. */
export function predictionCeiling({ prediction }: ChatCompletionRequest): number {
  return prediction === undefined || prediction === null ? 0 : valueTokens(prediction, SCALE);
}

function isSmall(value: number): boolean {
  return Number.isInteger(value) && value > -SMALL_NUMBER / 10 && value < SMALL_NUMBER;
}

function bytesTokens(data: string): number {
  return Math.ceil(data.length / CHARACTERS_PER_TOKEN_OF_A_FILE);
}
