import type {
  ChatCompletionRequest,
  ChatDelta,
  ChatMessage,
  ChatResponseMessage,
  FinishReason,
  ToolCall,
  ToolCallDelta,
} from '../contract/chat.types.js';
import type { JsonObject } from '../contract/json.js';
import { instanceOf, simulatedCalls } from './simulated-calls.js';

export interface SimulatedAnswer {
  message: ChatResponseMessage;
  logprobs: JsonObject | null;
  finishReason: FinishReason;
  /** Each piece is one token, as in a stream. */
  pieces: SimulatedPiece[];
}

export interface SimulatedPiece {
  delta: ChatDelta;
  logprobs: JsonObject | null;
}

type Split = (text: string) => Promise<string[]>;

export async function simulatedAnswer(
  request: ChatCompletionRequest,
  { id, model }: { id: string; model: string },
  split: Split,
): Promise<SimulatedAnswer> {
  const calls = simulatedCalls(request, id);
  return calls.length > 0 ? calling(calls, split) : saying(request, await split(simulatedText(request, model)));
}

function saying(request: ChatCompletionRequest, all: string[]): SimulatedAnswer {
  const limit = request.max_completion_tokens ?? request.max_tokens ?? Number.POSITIVE_INFINITY;
  const { texts, finishReason } = cut(all, limit, request.stop ?? []);
  return {
    message: { role: 'assistant', content: texts.join(''), refusal: null },
    logprobs: simulatedLogprobs(request, texts),
    finishReason,
    pieces: texts.map((content) => ({ delta: { content }, logprobs: simulatedLogprobs(request, [content]) })),
  };
}

async function calling(calls: ToolCall[], split: Split): Promise<SimulatedAnswer> {
  const pieces = await Promise.all(calls.map((call, index) => piecesOf(call, index, split)));
  return {
    message: { role: 'assistant', content: null, refusal: null, tool_calls: calls },
    logprobs: null,
    finishReason: 'tool_calls',
    pieces: pieces.flat(),
  };
}

/** The name of a call, then its arguments. */
async function piecesOf(call: ToolCall, index: number, split: Split): Promise<SimulatedPiece[]> {
  const isCustom = call.type === 'custom';
  const { id, type } = call;
  const name = isCustom ? call.custom.name : call.function.name;
  const texts = await split(isCustom ? call.custom.input : call.function.arguments);
  const part = (fields: JsonObject) => (isCustom ? { custom: fields } : { function: fields });
  const input = isCustom ? 'input' : 'arguments';
  // OpenAI's schema of chunks lists functions only, but custom tools are streamed like this.
  const deltas = [
    { index, id, type, ...part({ name, [input]: '' }) },
    ...texts.map((text) => ({ index, ...part({ [input]: text }) })),
  ] as ToolCallDelta[];
  return deltas.map((delta) => ({ delta: { tool_calls: [delta] }, logprobs: null }));
}

/** Applies stop sequences and the output limit. */
function cut(
  all: string[],
  limit: number,
  stop: string | readonly string[],
): { texts: string[]; finishReason: FinishReason } {
  const stops = [stop].flat().filter((sequence) => sequence !== '');
  const text = all.join('');
  const at = Math.min(...stops.map((sequence) => text.indexOf(sequence)).filter((position) => position >= 0));
  const texts: string[] = [];
  let length = 0;
  for (const piece of all) {
    if (length >= at) return { texts, finishReason: 'stop' };
    if (texts.length >= limit) return { texts, finishReason: 'length' };
    texts.push(piece.slice(0, at - length));
    length += piece.length;
  }
  return { texts, finishReason: 'stop' };
}

const MAX_QUOTED = 200;

/** A text that says that it is simulated and quotes the question; or JSON, if requested. */
function simulatedText(request: ChatCompletionRequest, model: string): string {
  const { messages, response_format: format } = request;
  const prompt = quoted(messages.findLast(({ role }) => role === 'user'));
  if (format?.type === 'json_schema' && format.json_schema.schema) {
    return instanceOf(format.json_schema.schema, request.seed ?? 1, 'response_format.json_schema.schema');
  }
  if (format?.type === 'json_object' || format?.type === 'json_schema') {
    return JSON.stringify({ simulated: true, model, asked: prompt });
  }
  const last = messages.at(-1);
  return (
    `This is a simulated answer: no upstream is configured for the model ${model}, so no provider was called. ` +
    `Set the API key of its upstream to get real answers. You wrote: "${prompt}"` +
    (last?.role === 'tool' ? ` The tool said: "${quoted(last)}"` : '')
  );
}

function quoted(message: ChatMessage | undefined): string {
  const text = textOf(message?.content ?? '');
  return text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED)}…` : text;
}

function textOf(content: NonNullable<ChatMessage['content']>): string {
  if (typeof content === 'string') return content;
  return content.map((part) => (part.type === 'text' ? part.text : `[${part.type}]`)).join(' ');
}

const LIKELY = 0.9;

/** Made-up log probabilities; null if none are requested. */
function simulatedLogprobs(request: ChatCompletionRequest, pieces: readonly string[]): JsonObject | null {
  if (request.logprobs !== true) return null;
  const alternatives = request.top_logprobs ?? 0;
  return { content: pieces.map((piece) => toToken(piece, alternatives)), refusal: null };
}

function toToken(piece: string, alternatives: number): JsonObject {
  const likely = entryOf(piece, LIKELY);
  const others = Array.from({ length: Math.max(alternatives - 1, 0) }, (_, index) =>
    entryOf(`${piece}${'.'.repeat(index + 1)}`, (1 - LIKELY) / 2 ** (index + 1)),
  );
  return { ...likely, top_logprobs: alternatives > 0 ? [likely, ...others] : [] };
}

function entryOf(token: string, probability: number): JsonObject {
  return { token, logprob: Math.log(probability), bytes: [...Buffer.from(token)] };
}
