import type { ChatCompletionRequest, ChatMessage, ToolCall } from '../contract/chat.types.js';
import type { TokenCounter } from './token-counter.js';

/** What OpenAI's format adds around each message, and at the end. */
const TOKENS_PER_MESSAGE = 3;
const TOKENS_AT_THE_END = 3;
/** An image of 1024 × 1024 in high detail. */
const TOKENS_PER_IMAGE = 765;
const CHARACTERS_PER_TOKEN = 4;
/** Characters. */
const LONG_CALLS = 256 * 1024;

/** An estimate of a prompt's tokens: its texts, tools and images. */
export async function countPromptTokens(request: ChatCompletionRequest, counter: TokenCounter): Promise<number> {
  const { messages, tools, functions } = request;
  const texts = messages.flatMap(textsOf);
  if (tools) texts.push(JSON.stringify(tools));
  if (functions) texts.push(JSON.stringify(functions));
  const images = messages.reduce((sum, message) => sum + imagesIn(message), 0);
  const ofText = await counter.count(texts.join('\n'));
  return ofText + images * TOKENS_PER_IMAGE + messages.length * TOKENS_PER_MESSAGE + TOKENS_AT_THE_END;
}

/** The same without counting, for every call: four characters are a token. */
export function roughPromptTokens({ messages, tools, functions }: ChatCompletionRequest): number {
  let characters = lengthOf(tools) + lengthOf(functions);
  let images = 0;
  for (const message of messages) {
    if (message.role === 'assistant') characters += lengthOf(message.tool_calls);
    if (typeof message.content === 'string') characters += message.content.length;
    else for (const part of message.content ?? []) characters += textOfPart(part)[0]?.length ?? 0;
    images += imagesIn(message);
  }
  const ofText = Math.ceil(characters / CHARACTERS_PER_TOKEN);
  return ofText + images * TOKENS_PER_IMAGE + messages.length * TOKENS_PER_MESSAGE + TOKENS_AT_THE_END;
}

/** The characters of all names and texts in it. */
function lengthOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  let length = 0;
  for (const [name, part] of Object.entries(value)) length += name.length + lengthOf(part);
  return length;
}

function textsOf(message: ChatMessage): string[] {
  const { content } = message;
  const texts = typeof content === 'string' ? [content] : (content ?? []).flatMap(textOfPart);
  if (message.role === 'assistant' && message.tool_calls) texts.push(...textsOfCalls(message.tool_calls));
  return texts;
}

/** Megabytes of arguments are not written as JSON for an estimate. */
function textsOfCalls(calls: readonly ToolCall[]): string[] {
  const texts = calls.map((call) => (call.type === 'function' ? call.function.arguments : call.custom.input));
  const isLong = texts.reduce((sum, { length }) => sum + length, 0) > LONG_CALLS;
  return isLong ? texts : [JSON.stringify(calls)];
}

function textOfPart(part: { type: string }): string[] {
  if ('text' in part && typeof part.text === 'string') return [part.text];
  return 'refusal' in part && typeof part.refusal === 'string' ? [part.refusal] : [];
}

function imagesIn({ content }: ChatMessage): number {
  if (!Array.isArray(content)) return 0;
  return (content as { type: string }[]).filter(({ type }) => type === 'image_url').length;
}
