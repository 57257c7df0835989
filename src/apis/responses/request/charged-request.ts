import type { ChatCompletionRequest } from '../../../upstreams/contract/chat.types.js';
import { isHostedTrace, itemType } from './input.checks.js';
import type { InputItem, ResponsesRequest, ResponsesTool } from './responses-request.types.js';

const TRANSLATED: ReadonlySet<unknown> = new Set([
  'message',
  'reasoning',
  'function_call',
  'function_call_output',
  'custom_tool_call',
  'custom_tool_call_output',
]);
const OWN_TOOLS: ReadonlySet<string> = new Set(['function', 'custom', 'namespace']);

/**
 * The request as limits and prices read it: the inner form, with the tools that the provider runs at their places in
 * the client's list, and with the items that only native targets get.
 */
export function toChargedRequest(request: ResponsesRequest, chat: ChatCompletionRequest): ChatCompletionRequest {
  const { input, tools } = request;
  const items = typeof input === 'string' ? [] : input.filter(isNativeOnly);
  const hosted = tools?.some(({ type }) => !OWN_TOOLS.has(type)) ?? false;
  if (items.length === 0 && !hosted) return chat;
  const messages = [...chat.messages, ...items.map((item) => ({ role: 'user', content: [item] }))];
  // Only counted, and never sent in this form.
  return { ...chat, messages, ...(hosted && { tools: (tools ?? []).map(charged) }) } as ChatCompletionRequest;
}

function charged(tool: ResponsesTool): object {
  return OWN_TOOLS.has(tool.type) ? { type: 'function', function: tool } : tool;
}

/** Encrypted reasoning counts, as it is part of the prompt natively. */
function isNativeOnly(item: InputItem): boolean {
  const type = itemType(item);
  if (type === 'reasoning') return typeof item.encrypted_content === 'string';
  return isHostedTrace(type) || !TRANSLATED.has(type);
}
