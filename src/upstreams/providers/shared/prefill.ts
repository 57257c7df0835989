import { type GatewayError, invalidRequest } from '../../../common/gateway.error.js';
import type { AssistantMessage } from '../../contract/chat.types.js';
import type { ProviderCall } from '../../contract/provider.adapter.js';

/** Whether the conversation ends with the beginning of the answer ("prefill"), which some models continue. */
export function hasPrefill({ request }: ProviderCall): boolean {
  const last = request.messages.at(-1);
  return last?.role === 'assistant' && hasTextOnly(last);
}

/** The error for a model that requires a user message at the end, always or together with another option. */
export function unsupportedPrefill({ request, model }: ProviderCall, beside = ''): GatewayError {
  const message = `The model '${model}' cannot continue an answer${beside}. End with a user message.`;
  return invalidRequest('unsupported_value', `messages[${request.messages.length - 1}]`, message);
}

function hasTextOnly({ content, refusal, tool_calls: calls }: AssistantMessage): boolean {
  if (calls && calls.length > 0) return false;
  const parts = typeof content === 'string' ? [content] : (content ?? []).map(textOfPart);
  return [...parts, refusal ?? ''].some((text) => text.trim() !== '');
}

function textOfPart(part: Exclude<NonNullable<AssistantMessage['content']>, string>[number]): string {
  return part.type === 'refusal' ? part.refusal : part.text;
}
