import type { Dialect } from '../openai/dialect.js';
import { supporting } from '../shared/capabilities.js';
import { COMMON_FIELDS } from '../shared/request-fields.js';
import { providersError, refineFailure } from './failure.js';
import { ReasoningDetails } from './thoughts.js';

/**
 * OpenRouter accepts more than OpenAI's format, but callers must not redirect a call or raise its price (`models`,
 * `provider`, `plugins`, `preset`).
 */
export const openRouterDialect = {
  protocol: 'openrouter',
  responses: { withheld: ['models', 'plugins', 'preset', 'provider', 'route', 'transforms'] },
  embeddings: { mostInputs: 2048, takesTokens: true, takesBase64: true },
  textCompletions: { takesSuffix: false, takesLists: false },
  capabilities: supporting(['json_object', 'json_schema', 'file_input', 'image_address'], {
    forwarding: ['logprobs', 'audio_input', 'audio_output', 'logit_bias', 'web_search'],
  }),
  fields: {
    only: [
      ...COMMON_FIELDS,
      'audio',
      'include_reasoning',
      'logit_bias',
      'logprobs',
      'metadata',
      'min_p',
      'modalities',
      'parallel_tool_calls',
      'prediction',
      'prompt_cache_key',
      'reasoning',
      'repetition_penalty',
      'seed',
      'top_a',
      'top_k',
      'top_logprobs',
      'user',
      'verbosity',
      'web_search_options',
    ],
  },
  messageFields: {
    only: ['role', 'content', 'name', 'tool_calls', 'tool_call_id', 'refusal', 'audio', 'reasoning_details'],
  },
  // `cache_control` is forwarded to Anthropic and Google (openrouter.ai/docs/features/prompt-caching).
  partFields: { only: ['type', 'text', 'image_url', 'input_audio', 'file', 'video_url', 'refusal', 'cache_control'] },
  imageDetails: ['auto', 'low', 'high', 'original'],
  schemaMayLack: true,
  outputLimit: 'max_completion_tokens',
  streamUsage: 'stream_options',
  developerRole: true,
  adjust(body) {
    if (body.reasoning_effort === undefined) return;
    body.reasoning ??= { effort: body.reasoning_effort };
    delete body.reasoning_effort;
  },

  reasoningFields: ['reasoning'],
  extras: () => new ReasoningDetails(),
  errorBody: providersError,
  refineFailure,
} as const satisfies Dialect;
