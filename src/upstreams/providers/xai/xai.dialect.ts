import type { Dialect } from '../openai/dialect.js';
import { supporting } from '../shared/capabilities.js';
import { COMMON_FIELDS } from '../shared/request-fields.js';
import { refineFailure } from './failure.js';

export const xaiDialect = {
  protocol: 'xai',
  // Searches are billed by source, and deferred answers must be fetched later.
  responses: { withheld: ['search_parameters', 'deferred'] },
  capabilities: supporting(['json_object', 'json_schema', 'multiple_choices', 'image_address'], {
    forwarding: ['logprobs', 'file_input'],
  }),
  fields: { only: [...COMMON_FIELDS, 'logprobs', 'n', 'parallel_tool_calls', 'seed', 'top_logprobs', 'user'] },
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
