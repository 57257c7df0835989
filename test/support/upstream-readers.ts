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

/** Protocols with their own reader, or OpenAI's with a difference. */
const READERS: Readonly<Record<string, UpstreamReader>> = {
  anthropic: anthropicReader,
  bedrock: bedrockReader,
  cohere: cohereReader,
  gemini: geminiReader,
  'openai-responses': responsesReader,
  'openai-compatible': { ...openAiReader, folders: ['cerebras', 'huggingface', 'moonshotai'] },
};

/** The protocol's own reader, or OpenAI's. */
export function readerOf(protocol: string): UpstreamReader {
  return READERS[protocol] ?? openAiReader;
}

/** False for other endpoints and bodies of another kind. */
function isChatCompletion({ url, body, stream, status }: Exchange): boolean {
  if (url !== null) return new URL(url).pathname.endsWith('/chat/completions');
  if (stream !== null) return /"object":\s*"chat\.completion\.chunk"|"choices":\s*\[\{[^[]*?"delta":\s*\{/.test(stream);
  const { object } = body as { object?: string };
  return status >= 400 || object === 'chat.completion';
}
