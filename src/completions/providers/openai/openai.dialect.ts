import type { Dialect } from './dialect.js';

/** OpenAI's own API. It takes the whole format, and ignores what it does not know. */
export const openAiDialect: Dialect = {
  protocol: 'openai',
  capabilities: {
    json_object: true,
    json_schema: true,
    multiple_choices: true,
    logprobs: true,
    audio_input: true,
    audio_output: true,
    file_input: true,
    image_address: true,
    custom_tools: true,
    functions: true,
    logit_bias: true,
    web_search: true,
  },
  fields: { except: [] },
  // Fields of other upstreams' answers, which clients send back in their history.
  messageFields: { except: ['reasoning_content', 'reasoning_details', 'extra_content'] },
  // `max_tokens` is refused by reasoning models, this one by none.
  outputLimit: 'max_completion_tokens',
  streamUsage: 'stream_options',
  developerRole: true,
};
