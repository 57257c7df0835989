import type { Dialect } from '../openai/dialect.js';
import { refineFailure } from './failure.js';

export const xaiDialect = {
  protocol: 'xai',
  // Searches are billed by source, and deferred answers must be fetched later.
  responses: { withheld: ['search_parameters', 'deferred'] },
  capabilities: {
    json_object: true,
    json_schema: true,
    multiple_choices: true,
    audio_input: false,
    audio_output: false,
    image_address: true,
    custom_tools: false,
    functions: false,
    logit_bias: false,
    web_search: false,
  },
  fields: {
    only: [
      'frequency_penalty',
      'logprobs',
      'n',
      'parallel_tool_calls',
      'presence_penalty',
      'reasoning_effort',
      'response_format',
      'seed',
      'stop',
      'temperature',
      'tool_choice',
      'tools',
      'top_logprobs',
      'top_p',
      'user',
    ],
  },
  messageFields: { only: ['role', 'content', 'name', 'tool_calls', 'tool_call_id'] },
  efforts,
  outputLimit: 'max_completion_tokens',
  streamUsage: 'stream_options',
  developerRole: false,

  // Reasoning tokens are only included in the total.
  shortCount: 'completion_tokens',
  refineFailure,
} as const satisfies Dialect;

/** docs.x.ai/developers/model-capabilities/text/reasoning: none and low to high; more for multi-agent models. */
function efforts(model: string): readonly string[] {
  return model.startsWith('grok-4.3') ? ['none', 'low', 'medium', 'high'] : ['none', 'low', 'medium', 'high', 'xhigh'];
}
