import type {
  ChatCompletion,
  ChatCompletionChunk,
  ChatDelta,
  ChatResponseMessage,
  CompletionUsage,
} from '../../src/upstreams/contract/chat.types.js';
import { type Answer, type AnswerChoice, type AnswerUsage, emptyChoice } from './answer.js';

/** What a client reads from a whole completion. */
export function answerOfCompletion(completion: ChatCompletion): Answer {
  const choices: Answer['choices'] = {};
  for (const { index, message, finish_reason: finish } of completion.choices) {
    const choice = emptyChoice();
    addText(choice, message);
    for (const call of message.tool_calls ?? []) {
      if (call.type === 'function') choice.toolCalls.push({ id: call.id, ...call.function });
    }
    choices[index] = { ...choice, finish };
  }
  return { choices, usage: usageOf(completion.usage) };
}

/** What a client accumulates from a stream, as the SDKs do. */
export function answerOfStream(chunks: readonly ChatCompletionChunk[]): Answer {
  const answer: Answer = { choices: {}, usage: null };
  for (const chunk of chunks) {
    if (chunk.usage) answer.usage = usageOf(chunk.usage);
    for (const { index, delta, finish_reason: finish } of chunk.choices) {
      answer.choices[index] ??= emptyChoice();
      const choice = answer.choices[index] as AnswerChoice;
      addText(choice, delta);
      addToolCalls(choice, delta);
      choice.finish ??= finish;
    }
  }
  return answer;
}

/** The broken guarantees of a stream, one line each. */
export function brokenPromises(
  chunks: readonly ChatCompletionChunk[],
  call: { id: string; created: number; model: string },
): string[] {
  const broken: string[] = [];
  const started = new Set<number>();
  const finished = new Set<number>();
  for (const [position, chunk] of chunks.entries()) {
    const at = `chunk ${position}`;
    if (chunk.id !== call.id || chunk.created !== call.created) broken.push(`${at}: id or created is not the call's`);
    if (chunk.model !== call.model) broken.push(`${at}: not the public model name`);
    if (chunk.usage && position !== chunks.length - 1) broken.push(`${at}: usage before the end`);
    if (chunk.usage && chunk.choices.length > 0) broken.push(`${at}: usage beside choices`);
    for (const { index, delta, finish_reason: finish } of chunk.choices) {
      if ((delta.role === 'assistant') === started.has(index)) broken.push(`${at}: role not on the first chunk alone`);
      if (finish && finished.has(index)) broken.push(`${at}: a second finish reason`);
      started.add(index);
      if (finish) finished.add(index);
    }
  }
  return broken;
}

function addText(choice: AnswerChoice, part: ChatDelta | ChatResponseMessage): void {
  choice.content += part.content ?? '';
  choice.reasoning += part.reasoning_content ?? '';
  choice.refusal += part.refusal ?? '';
  const called = part.function_call as { name?: string; arguments?: string } | undefined;
  if (called === undefined) return;
  choice.functionCall ??= { name: '', arguments: '' };
  choice.functionCall.name += called.name ?? '';
  choice.functionCall.arguments += called.arguments ?? '';
}

function addToolCalls({ toolCalls }: AnswerChoice, delta: ChatDelta): void {
  for (const { index, id, function: called } of delta.tool_calls ?? []) {
    toolCalls[index] ??= { id: '', name: '', arguments: '' };
    const call = toolCalls[index];
    call.id += id ?? '';
    call.name += called?.name ?? '';
    call.arguments += called?.arguments ?? '';
  }
}

function usageOf(usage: CompletionUsage | undefined | null): AnswerUsage | null {
  if (!usage) return null;
  return {
    prompt: usage.prompt_tokens,
    completion: usage.completion_tokens,
    total: usage.total_tokens,
    cached: usage.prompt_tokens_details?.cached_tokens ?? 0,
    reasoning: usage.completion_tokens_details?.reasoning_tokens ?? 0,
  };
}
