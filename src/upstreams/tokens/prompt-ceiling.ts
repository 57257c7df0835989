import type { ChatCompletionRequest } from '../contract/chat.types.js';
import { countPrompt, type PromptScale, valueTokens } from './prompt-walk.js';

/** What formats put around all messages, and what upstreams tell a model of its tools. */
const TOKENS_AROUND = 8;
const TOKENS_FOR_TOOLS = 700;
/** No tokenizer of today makes more of an image that it scales down; where one does, the ledger charges it all the same. */
const TOKENS_PER_IMAGE = 5000;
const TOKENS_PER_FILE = 5000;
/** Of base64: sound and documents have far fewer tokens than characters. */
const CHARACTERS_PER_TOKEN_OF_A_FILE = 4;
/** Quotes, colon and comma around a name and its value. */
const BYTES_PER_ENTRY = 6;
/** Of any number as JSON writes it. */
const BYTES_PER_NUMBER = 25;
const SMALL_NUMBER = 100_000_000;
const BYTES_PER_SMALL_VALUE = 8;

/** A token is at least a byte of UTF-8, whoever's tokenizer counts. */
const SCALE: PromptScale = {
  message: 8,
  image: TOKENS_PER_IMAGE,
  skipped: null,
  reference: () => 0,
  text: (text) => Buffer.byteLength(text),
  name: (name) => Buffer.byteLength(name) + BYTES_PER_ENTRY,
  value: (value) => (typeof value === 'number' && !isSmall(value) ? BYTES_PER_NUMBER : BYTES_PER_SMALL_VALUE),
  sound: fileTokens,
  file: fileTokens,
};

export interface PromptCeiling {
  readonly tokens: number;
  /** The longest time for which it asks the provider to keep some of the prompt; null: it does not ask. */
  readonly cacheWrites: '5m' | '1h' | null;
}

/**
 * More tokens than a prompt has, whoever counts them, and no fewer for anything that is added to it. With a reference to
 * something that the gateway does not see it is at least the model's whole context. Quick, since each call with a budget
 * is looked at, and not mean where it matters: the answer's tokens are the dearer ones.
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

/** What a prediction may add to the answer's tokens: what of it is wrong is charged like an answer. */
export function predictionCeiling({ prediction }: ChatCompletionRequest): number {
  return prediction === undefined || prediction === null ? 0 : valueTokens(prediction, SCALE);
}

function isSmall(value: number): boolean {
  return Number.isInteger(value) && value > -SMALL_NUMBER / 10 && value < SMALL_NUMBER;
}

function fileTokens(data: string): number {
  return TOKENS_PER_FILE + Math.ceil(data.length / CHARACTERS_PER_TOKEN_OF_A_FILE);
}
