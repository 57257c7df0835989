import type { Dialect } from '../openai/dialect.js';

/** Together's API. A stream tells its usage with the finish reason; log probabilities have a form of their own. */
export const togetherDialect: Dialect = {
  protocol: 'together',
  capabilities: {
    json_object: true,
    json_schema: true,
    multiple_choices: true,
    logprobs: false,
    audio_output: false,
    file_input: false,
    image_address: true,
    custom_tools: false,
    functions: false,
    web_search: false,
  },
  fields: {
    only: [
      'chat_template_kwargs',
      'frequency_penalty',
      'logit_bias',
      'min_p',
      'n',
      'presence_penalty',
      'reasoning',
      'reasoning_effort',
      'repetition_penalty',
      'response_format',
      'seed',
      'stop',
      'temperature',
      'tool_choice',
      'tools',
      'top_k',
      'top_p',
    ],
  },
  messageFields: { only: ['role', 'content', 'name', 'tool_calls', 'tool_call_id'] },
  outputLimit: 'max_tokens',
  streamUsage: 'stream_options',
  developerRole: false,

  reasoningFields: ['reasoning', 'reasoning_content'],
  cachedTokensField: 'cached_tokens',
};
