import type { ChatCompletionRequest } from '../../contract/chat.types.js';

/** How many tool calls of an answer to pass on, for APIs without such an option. */
export function toolCallLimit({ parallel_tool_calls: parallel }: ChatCompletionRequest): number {
  return parallel === false ? 1 : Number.POSITIVE_INFINITY;
}
