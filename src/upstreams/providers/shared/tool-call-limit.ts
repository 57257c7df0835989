import type { ChatCompletionRequest } from '../../contract/chat.types.js';

/** The number of an answer's tool calls to pass on, for APIs without this option. */
export function toolCallLimit({ parallel_tool_calls: parallel }: ChatCompletionRequest): number {
  return parallel === false ? 1 : Number.POSITIVE_INFINITY;
}
