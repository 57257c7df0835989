import type { ChatCompletionRequest } from '../../../upstreams/contract/chat.types.js';
import type { MessagesRequest, ToolParam } from '../request/messages.types.js';
import { isOwnTool } from '../request/tool.checks.js';

/**
 * The request for limits and prices. Includes tools that the provider runs, under the names of price lists
 * (`web_search` for `web_search_20250305`), content that only a native target reads, and fields that raise a price.
 */
export function toChargedRequest(
  chat: ChatCompletionRequest,
  { tools, speed, inference_geo: geo }: MessagesRequest,
  nativeContent: readonly unknown[],
): ChatCompletionRequest {
  const hasHosted = tools?.some((tool) => !isOwnTool(tool)) ?? false;
  if (!hasHosted && nativeContent.length === 0 && speed == null && geo == null) return chat;
  return {
    ...chat,
    ...(speed != null && { speed }),
    ...(geo != null && { inference_geo: geo }),
    ...(hasHosted && { tools: allTools(chat, tools ?? []) }),
    ...(nativeContent.length > 0 && { native_content: nativeContent }),
  } as ChatCompletionRequest;
}

/** In the client's order, as errors name a tool by its position. */
function allTools({ tools: functions = [] }: ChatCompletionRequest, tools: readonly ToolParam[]): readonly object[] {
  const left = [...functions];
  return tools.map((tool) =>
    isOwnTool(tool) ? (left.shift() ?? tool) : { ...tool, type: tool.type?.replace(VERSION, '') },
  );
}

const VERSION = /_\d{8}$/;
