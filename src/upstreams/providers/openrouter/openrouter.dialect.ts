import type { Dialect } from '../openai/dialect.js';
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
  capabilities: {
    json_object: true,
    json_schema: true,
    multiple_choices: false,
    file_input: true,
    image_address: true,
    custom_tools: false,
    functions: false,
  },
  fields: {
    only: [
      'audio',
      'frequency_penalty',
      'include_reasoning',
      'logit_bias',
      'logprobs',
      'metadata',
      'min_p',
      'modalities',
      'parallel_tool_calls',
      'prediction',
      'presence_penalty',
      'prompt_cache_key',
      'reasoning',
      'reasoning_effort',
      'repetition_penalty',
      'response_format',
      'seed',
      'stop',
      'temperature',
      'tool_choice',
      'tools',
      'top_a',
      'top_k',
      'top_logprobs',
      'top_p',
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
