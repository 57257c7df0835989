import type { GatewayError } from '../../../common/gateway.error.js';
import type { ProviderCall } from '../../contract/provider.adapter.js';
import { textsOf } from './content-text.js';
import { unsupported } from './unsupported.js';

/** Whether the conversation ends with the beginning of the answer ("prefill"), which some models continue. */
export function hasPrefill({ request }: ProviderCall): boolean {
  const last = request.messages.at(-1);
  if (last?.role !== 'assistant' || last.tool_calls?.length) return false;
  return [...textsOf(last.content), last.refusal ?? ''].some((text) => text.trim() !== '');
}

/** The error for a model that requires a user message at the end, always or together with another option. */
export function unsupportedPrefill({ request, model }: ProviderCall, beside = ''): GatewayError {
  const message = `The model '${model}' cannot continue an answer${beside}. End with a user message.`;
  return unsupported(`messages[${request.messages.length - 1}]`, message);
}
