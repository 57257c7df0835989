import type { ChatCompletionRequest } from '../../contract/chat.types.js';

/** How many tool calls of an answer are handed on, for an API that cannot be told to call one at a time. */
export function toolCallLimit({ parallel_tool_calls: parallel }: ChatCompletionRequest): number {
  return parallel === false ? 1 : Number.POSITIVE_INFINITY;
}
