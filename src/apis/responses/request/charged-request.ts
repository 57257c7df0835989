import type { ChatCompletionRequest } from '../../../upstreams/contract/chat.types.js';
import { isOwnReasoning } from '../../shared/carried-reasoning.js';
import { isTranslated, itemType } from './input.checks.js';
import { type InputItem, isWebSearch, type ResponsesRequest, type ResponsesTool } from './responses-request.types.js';

/** Tools that cost only tokens: the client runs them, or they only search the request's tools. */
const FREE_TOOLS: ReadonlySet<string> = new Set(['function', 'custom', 'namespace', 'apply_patch', 'tool_search']);

/**
 * The request for limits and prices: the inner form, with tools that the provider runs at their positions in the
 * client's list, and with items that only native targets receive. `searches`: the tools include web search.
 */
export function toChargedRequest(
  request: ResponsesRequest,
  chat: ChatCompletionRequest,
  searches: boolean,
): ChatCompletionRequest {
  const { input, tools } = request;
  const isHosted = ({ type }: ResponsesTool) => !FREE_TOOLS.has(type) && (searches || !isWebSearch(type));
  const items = typeof input === 'string' ? [] : input.filter(isNativeOnly);
  const hosted = tools?.some(isHosted) ?? false;
  if (items.length === 0 && !hosted) return chat;
  const messages = [...chat.messages, ...items.map((item) => ({ role: 'user', content: [item] }))];
  // This form is only counted and never sent.
  const charged = tools?.map((tool) => (isHosted(tool) ? tool : { type: 'function', function: tool }));
  return { ...chat, messages, ...(hosted && { tools: charged }) } as ChatCompletionRequest;
}

/** Includes reasoning that a provider encrypted, as native targets receive it in the prompt. */
function isNativeOnly(item: InputItem): boolean {
  const type = itemType(item);
  if (type === 'reasoning')
    return typeof item.encrypted_content === 'string' && !isOwnReasoning(item.encrypted_content);
  return !isTranslated(type);
}
