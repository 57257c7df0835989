import type {
  AnswerImage,
  ChatCompletion,
  ChatCompletionChunk,
  ChatDelta,
  ChatResponseMessage,
  FunctionToolCall,
  ToolCallDelta,
} from '../../contract/chat.types.js';
import { type ChunkReader, completionOf } from '../../contract/chunk.reader.js';
import type { JsonObject } from '../../contract/json.js';
import type { ProviderCall } from '../../contract/provider.adapter.js';

type ReaderClass<Reader> = new (call: ProviderCall, emit: (chunk: ChatCompletionChunk) => void) => Reader;

/** Reads a whole answer with the reader of the API's streams, so that streamed and whole answers are the same. */
export function wholeAnswer<Reader extends ChunkReader>(
  call: ProviderCall,
  Reader: ReaderClass<Reader>,
  read: (reader: Reader) => void,
  logprobs: JsonObject | null = null,
): ChatCompletion {
  const chunks: ChatCompletionChunk[] = [];
  const reader = new Reader(call, (chunk) => chunks.push(chunk));
  read(reader);
  reader.close();
  const choices = chunks.flatMap((chunk) => chunk.choices);
  const message = joinedMessage(choices.map(({ delta }) => delta));
  const finish_reason = choices.at(-1)?.finish_reason ?? 'stop';
  const choice = { index: 0, message, logprobs, finish_reason };
  return completionOf(call, [choice], chunks.at(-1)?.usage ?? undefined);
}

/** Joins the deltas of a choice. All of its tool calls are functions. */
export function joinedMessage(deltas: readonly ChatDelta[]): ChatResponseMessage {
  const message: ChatResponseMessage = { role: 'assistant', content: null, refusal: null };
  const calls: FunctionToolCall[] = [];
  let text = '';
  let reasoning = '';
  const pictures: AnswerImage[] = [];
  for (const { content, reasoning_content, tool_calls = [], images = [], ...others } of deltas) {
    text += content ?? '';
    reasoning += reasoning_content ?? '';
    pictures.push(...images);
    for (const delta of tool_calls) calls[delta.index] = joinedCall(calls[delta.index], delta);
    Object.assign(message, others);
  }
  message.content = text === '' && calls.length > 0 ? null : text;
  if (reasoning !== '') message.reasoning_content = reasoning;
  if (calls.length > 0) message.tool_calls = calls;
  if (pictures.length > 0) message.images = pictures;
  return message;
}

function joinedCall(
  call: FunctionToolCall | undefined,
  { index, function: { name = '', arguments: text = '' } = {}, ...others }: ToolCallDelta,
): FunctionToolCall {
  if (!call) return { ...others, id: others.id ?? '', type: 'function', function: { name, arguments: text } };
  return { ...call, function: { name: call.function.name, arguments: call.function.arguments + text } };
}
