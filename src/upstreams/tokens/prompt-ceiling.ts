import type { ChatCompletionRequest } from '../contract/chat.types.js';
import { countPrompt, type PromptScale, valueTokens } from './prompt-walk.js';

/** Overhead for the whole conversation, and for descriptions of tools. */
const TOKENS_AROUND = 8;
const TOKENS_FOR_TOOLS = 700;
/** More than current tokenizers count for a scaled image. If an image costs more, the ledger charges that. */
const TOKENS_PER_IMAGE = 5000;
const TOKENS_PER_FILE = 5000;
/** For base64, as audio and documents have far fewer tokens than characters. */
const CHARACTERS_PER_TOKEN_OF_A_FILE = 4;
/** Quotes, colon and comma around a name and its value. */
const BYTES_PER_ENTRY = 6;
/** The longest number in JSON. */
const BYTES_PER_NUMBER = 25;
const SMALL_NUMBER = 100_000_000;
const BYTES_PER_SMALL_VALUE = 8;

/** Counts bytes, as a token has at least one byte of UTF-8 with any tokenizer. */
const SCALE: PromptScale = {
  message: 8,
  image: TOKENS_PER_IMAGE,
  skipped: null,
  reference: () => 0,
  text: (text) => Buffer.byteLength(text),
  name: (name) => Buffer.byteLength(name) + BYTES_PER_ENTRY,
  value: (value) => (typeof value === 'number' && !isSmall(value) ? BYTES_PER_NUMBER : BYTES_PER_SMALL_VALUE),
  audio: fileTokens,
  file: fileTokens,
};

export interface PromptCeiling {
  readonly tokens: number;
  /** The longest requested cache lifetime; null: none. */
  readonly cacheWrites: '5m' | '1h' | null;
}

/**
 * An upper bound of a prompt's tokens with any tokenizer. More content never lowers it. References to content that the
 * gateway cannot see count as the model's whole context. Fast, as it runs for each call with a budget, and generous, as
 * output tokens dominate the cost.
 */
export function promptCeiling(request: ChatCompletionRequest, contextLength: number): PromptCeiling {
  let isReferring = false;
  let isCached = false;
  let isForAnHour = false;
  const scale: PromptScale = {
    ...SCALE,
    reference() {
      isReferring = true;
      return 0;
    },
    name(name) {
      if (name === 'cache_control') isCached = true;
      return SCALE.name(name);
    },
    text(text) {
      if (text === '1h') isForAnHour = true;
      return SCALE.text(text);
    },
  };
  const hasTools = Boolean(request.tools?.length || request.functions);
  const counted = TOKENS_AROUND + (hasTools ? TOKENS_FOR_TOOLS : 0) + countPrompt(request, scale);
  const tokens = isReferring ? Math.max(counted, contextLength) : counted;
  return { tokens, cacheWrites: isCached ? (isForAnHour ? '1h' : '5m') : null };
}

/** Output tokens that a prediction may add, as providers charge its rejected parts as output. */
export function predictionCeiling({ prediction }: ChatCompletionRequest): number {
  return prediction === undefined || prediction === null ? 0 : valueTokens(prediction, SCALE);
}

function isSmall(value: number): boolean {
  return Number.isInteger(value) && value > -SMALL_NUMBER / 10 && value < SMALL_NUMBER;
}

function fileTokens(data: string): number {
  return TOKENS_PER_FILE + Math.ceil(data.length / CHARACTERS_PER_TOKEN_OF_A_FILE);
}
