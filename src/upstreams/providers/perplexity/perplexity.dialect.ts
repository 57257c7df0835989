import type { Dialect } from '../openai/dialect.js';
import { CitedSources } from './citations.js';
import { alternating } from './messages.js';

/** Perplexity's API: its models search the web by themselves, and a stream ends without an end mark. */
export const perplexityDialect: Dialect = {
  protocol: 'perplexity',
  capabilities: {
    json_object: false,
    json_schema: true,
    multiple_choices: false,
    logprobs: false,
    audio_input: false,
    audio_output: false,
    file_input: false,
    image_address: true,
    custom_tools: false,
    functions: false,
    logit_bias: false,
    web_search: true,
  },
  fields: {
    only: [
      'disable_search',
      'enable_search_classifier',
      'frequency_penalty',
      'language_preference',
      'last_updated_after_filter',
      'last_updated_before_filter',
      'presence_penalty',
      'reasoning_effort',
      'response_format',
      'return_images',
      'return_related_questions',
      'search_after_date_filter',
      'search_before_date_filter',
      'search_domain_filter',
      'search_mode',
      'search_recency_filter',
      'stop',
      'temperature',
      'tool_choice',
      'tools',
      'top_k',
      'top_p',
      'web_search_options',
    ],
  },
  messageFields: { only: ['role', 'content', 'tool_calls', 'tool_call_id'] },
  // As the package perplexityai has them.
  efforts: () => ['minimal', 'low', 'medium', 'high'],
  outputLimit: 'max_tokens',
  streamUsage: 'always',
  developerRole: false,
  adaptConversation: alternating,

  reasoningFields: ['reasoning_content', 'reasoning'],
  extras: () => new CitedSources(),
};
