import type { Dialect } from '../openai/dialect.js';
import { supporting } from '../shared/capabilities.js';
import { FUNCTION_NAMES } from '../shared/function-calls.js';
import { COMMON_FIELDS } from '../shared/request-fields.js';

export const deepseekDialect: Dialect = {
  protocol: 'deepseek',
  // Beta: api-docs.deepseek.com, "FIM Completion".
  textCompletions: { path: '/beta/completions', takesSuffix: true, takesLists: false },
  capabilities: supporting(['json_object'], { forwarding: ['logprobs', 'image_address'] }),
  fields: { only: [...COMMON_FIELDS, 'logprobs', 'thinking', 'top_logprobs'] },
  // Reasoning must be sent back with the result of the tool call that followed it.
  messageFields: { only: ['role', 'content', 'name', 'tool_calls', 'tool_call_id', 'reasoning_content', 'prefix'] },
  // api-docs.deepseek.com, "Create chat completion": letters, digits, underscores and dashes, 64 at most.
  calledNames: FUNCTION_NAMES,
  // "messages[2]: invalid type: sequence, expected a string".
  textRoles: ['system', 'user', 'assistant', 'tool'],
  // `low` to `max` (api-docs.deepseek.com/guides/thinking_mode); `none` is a separate switch, see below.
  efforts: () => ['none', 'low', 'medium', 'high', 'xhigh', 'max'],
  outputLimit: 'max_tokens',
  streamUsage: 'stream_options',
  developerRole: false,
  adjust(body) {
    // A separate field disables thinking.
    if (body.reasoning_effort !== 'none') return;
    delete body.reasoning_effort;
    body.thinking ??= { type: 'disabled' };
  },

  finishReasons: { insufficient_system_resource: 503 },
  cachedTokensField: 'prompt_cache_hit_tokens',
};
