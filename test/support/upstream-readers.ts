import { anthropicReader } from './anthropic-answer.js';
import { bedrockReader } from './bedrock-answer.js';
import { cohereReader } from './cohere-answer.js';
import type { Exchange } from './exchanges.js';
import { geminiReader } from './gemini-answer.js';
import { responsesReader } from './responses-answer.js';
import { streamError, upstreamAnswer } from './upstream-answer.js';
import type { UpstreamReader } from './upstream-reader.js';

const openAiReader: UpstreamReader = {
  answer: upstreamAnswer,
  streamError,
  isChat: isChatCompletion,
  finishMark: /"finish_reason":\s*"/,
  imageMark: 'image_url',
  speaksOpenAi: true,
};

/** Protocols that have a reader of their own, or OpenAI's with a difference. */
const READERS: Readonly<Record<string, UpstreamReader>> = {
  anthropic: anthropicReader,
  bedrock: bedrockReader,
  cohere: cohereReader,
  gemini: geminiReader,
  'openai-responses': responsesReader,
  'openai-compatible': { ...openAiReader, folders: ['cerebras', 'huggingface', 'moonshotai'] },
};

/** The reader of a protocol: its own, or that of OpenAI's format. */
export function readerOf(protocol: string): UpstreamReader {
  return READERS[protocol] ?? openAiReader;
}

/** Exchanges that were no chat completion: another endpoint, or a body of another kind. */
function isChatCompletion({ url, body, stream, status }: Exchange): boolean {
  if (url !== null) return new URL(url).pathname.endsWith('/chat/completions');
  if (stream !== null) return /"object":\s*"chat\.completion\.chunk"|"choices":\s*\[\{[^[]*?"delta":\s*\{/.test(stream);
  const { object } = body as { object?: string };
  return status >= 400 || object === 'chat.completion';
}
