import type { CompletionUsage } from '../../contract/chat.types.js';
import { isObject, type JsonObject, objectsOf } from '../../contract/json.js';
import { toUsage as chatUsage } from '../openai/usage.js';

/** Undefined if no usage is reported. */
export function toUsage({ usage, output }: JsonObject): CompletionUsage | undefined {
  if (!isObject(usage)) return undefined;
  const searches = objectsOf(output).filter(({ type }) => type === 'web_search_call').length;
  return chatUsage({
    usage: {
      prompt_tokens: usage.input_tokens,
      completion_tokens: usage.output_tokens,
      total_tokens: usage.total_tokens,
      prompt_tokens_details: usage.input_tokens_details,
      completion_tokens_details: usage.output_tokens_details,
      ...(searches > 0 && { server_tool_use: { web_search_requests: searches } }),
    },
  });
}
