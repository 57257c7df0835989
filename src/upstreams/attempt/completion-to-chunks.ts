import type { ChatChoice, ChatCompletion, ChatCompletionChunk, ChatDelta } from '../contract/chat.types.js';

/** Splits a completion into stream chunks: two for each choice, then the usage. */
export function completionToChunks(completion: ChatCompletion): ChatCompletionChunk[] {
  const { id, created, model, choices, usage } = completion;
  const base = { id, object: 'chat.completion.chunk', created, model } as const;
  return [
    ...choices.flatMap((choice) => [
      {
        ...base,
        choices: [{ index: choice.index, delta: toDelta(choice), logprobs: choice.logprobs, finish_reason: null }],
      },
      { ...base, choices: [{ index: choice.index, delta: {}, finish_reason: choice.finish_reason }] },
    ]),
    ...(usage ? [{ ...base, choices: [], usage }] : []),
  ];
}

function toDelta({ message }: ChatChoice): ChatDelta {
  const { tool_calls, annotations, ...rest } = message;
  const calls = tool_calls?.map((call, index) => ({ index, ...call })) as ChatDelta['tool_calls'];
  return { ...rest, ...(calls && { tool_calls: calls }), ...(annotations !== undefined && { annotations }) };
}
