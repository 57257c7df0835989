import type { ChatCompletionRequest } from '../contract/chat.types.js';

/** What formats put around a message and around all of them, and what upstreams tell a model of its tools. */
const TOKENS_PER_MESSAGE = 8;
const TOKENS_AROUND = 8;
const TOKENS_FOR_TOOLS = 700;
/** No tokenizer of today makes more of an image that it scales down; where one does, the ledger says so. */
const TOKENS_PER_IMAGE = 5000;
/** Of base64: sound and documents have far fewer tokens than characters. */
const CHARACTERS_PER_TOKEN_OF_A_FILE = 4;
/** Quotes, colon and comma around a name and its value. */
const BYTES_PER_ENTRY = 6;
/** A number, true, false or null. */
const BYTES_PER_VALUE = 8;

/**
 * More tokens than a prompt has, whoever counts them: a token is at least a byte of UTF-8. Quick, since each call with a
 * budget is looked at, and not mean where it matters: the answer's tokens are the dearer ones.
 */
export function promptCeiling({ messages, tools, functions, response_format, ...rest }: ChatCompletionRequest): number {
  let tokens = TOKENS_AROUND;
  for (const message of messages) tokens += TOKENS_PER_MESSAGE + tokensOf(message);
  if (tools?.length || functions) tokens += TOKENS_FOR_TOOLS + tokensOf(tools) + tokensOf(functions);
  if (response_format) tokens += tokensOf(response_format);
  if (rest.prediction) tokens += tokensOf(rest.prediction);
  return tokens;
}

function tokensOf(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (typeof value !== 'object') return value === undefined ? 0 : BYTES_PER_VALUE;
  if (value === null) return 0;
  if ('image_url' in value) return TOKENS_PER_IMAGE;
  if ('input_audio' in value) return filesTokens(value.input_audio);
  if ('file' in value && 'type' in value && value.type === 'file') return filesTokens(value.file);
  let tokens = 0;
  for (const name in value) {
    tokens += BYTES_PER_ENTRY + name.length + tokensOf(value[name as keyof typeof value]);
  }
  return tokens;
}

function filesTokens(file: unknown): number {
  let characters = 0;
  for (const part of Object.values(file ?? {})) if (typeof part === 'string') characters += part.length;
  return TOKENS_PER_IMAGE + Math.ceil(characters / CHARACTERS_PER_TOKEN_OF_A_FILE);
}
