import { objectOf, type ReadonlyJsonObject } from '../../contract/json.js';
import type { Dialect } from '../openai/dialect.js';
import { supporting } from '../shared/capabilities.js';
import { FUNCTION_NAMES } from '../shared/legacy-functions.js';
import { COMMON_FIELDS } from '../shared/request-fields.js';

export const deepseekDialect: Dialect = {
  protocol: 'deepseek',
  // Beta: api-docs.deepseek.com, "FIM Completion".
  textCompletions: { path: '/beta/completions', takesSuffix: true, takesLists: false },
  capabilities: supporting(['json_object'], { forwarding: ['logprobs', 'image_address'] }),
  fields: { only: [...COMMON_FIELDS, 'logprobs', 'thinking', 'top_logprobs'] },
  // Reasoning must be sent back with the result of the tool call that followed it; see below for lost reasoning.
  messageFields: { only: ['role', 'content', 'name', 'tool_calls', 'tool_call_id', 'reasoning_content', 'prefix'] },
  adaptMessage: withReasoning,
  // api-docs.deepseek.com, "Create chat completion": letters, digits, underscores and dashes, 64 at most.
  calledNames: FUNCTION_NAMES,
  // "messages[2]: invalid type: sequence, expected a string".
  textRoles: ['system', 'user', 'assistant', 'tool'],
  // `low` to `max` (api-docs.deepseek.com/guides/thinking_mode).
  efforts: () => ['none', 'low', 'medium', 'high', 'xhigh', 'max'],
  outputLimit: 'max_tokens',
  streamUsage: 'stream_options',
  developerRole: false,
  adjust(body, { request: { reasoning_effort: effort }, traits }) {
    // A separate field disables thinking, whatever efforts the model has.
    if (effort === 'none') {
      delete body.reasoning_effort;
      body.thinking ??= { type: 'disabled' };
    }
    // Another name of `high` (api-docs.deepseek.com/quick_start/pricing).
    if (effort === 'xhigh' && traits.efforts?.includes('high')) body.reasoning_effort = 'high';
    // "temperature and top_p are not supported in thinking mode"; models with efforts think by default.
    const { type = traits.efforts ? 'enabled' : 'disabled' } = objectOf(body.thinking);
    if (type === 'disabled') return;
    delete body.temperature;
    delete body.top_p;
  },

  finishReasons: { insufficient_system_resource: 503 },
  cachedTokensField: 'prompt_cache_hit_tokens',
};

/**
 * "The `reasoning_content` in the thinking mode must be passed back to the API": with tools, every earlier answer must
 * have the field, which clients lose and other models do not write. The API takes an empty one, and ignores it where it
 * needs none.
 */
function withReasoning(message: ReadonlyJsonObject): ReadonlyJsonObject {
  const lacksReasoning = typeof message.reasoning_content !== 'string' && message.prefix !== true;
  return message.role === 'assistant' && lacksReasoning ? { ...message, reasoning_content: '' } : message;
}
