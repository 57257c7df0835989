import type { JsonObject } from '../../contract/json.js';
import type { ProviderCall } from '../../contract/provider.adapter.js';
import { conversationOf } from './conversation.js';
import { generationConfig } from './generation-config.js';
import { tierField } from './service-tier.js';
import { toolFields } from './tools.js';

/** The fields that are told to the API in some form. */
export const TAKEN_FIELDS: ReadonlySet<string> = new Set([
  'max_tokens',
  'max_completion_tokens',
  'temperature',
  'top_p',
  'stop',
  'frequency_penalty',
  'presence_penalty',
  'tools',
  'tool_choice',
  'parallel_tool_calls',
  'response_format',
  'reasoning_effort',
  'n',
  'seed',
  'logprobs',
  'top_logprobs',
  'web_search_options',
]);

/** The body for a call; what the caller sent is handed on by reference, never changed. */
export function requestBody(call: ProviderCall): JsonObject {
  const config = generationConfig(call);
  return {
    ...conversationOf(call),
    ...toolFields(call),
    ...(config && { generationConfig: config }),
    ...tierField(call),
  };
}
