import type { ChatCompletionRequest } from '../../contract/chat.types.js';

/** Whether the model may call functions, by the newer field or the older one. */
export function hasFunctionTools({ tools, functions }: ChatCompletionRequest): boolean {
  if (tools?.some(({ type }) => type === 'function')) return true;
  return Array.isArray(functions) && functions.length > 0;
}
