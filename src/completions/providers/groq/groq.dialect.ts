import { isObject, type JsonObject } from '../json.js';
import type { Dialect } from '../openai/dialect.js';

const SERVICE_TIERS = new Set<unknown>(['auto', 'on_demand', 'flex', 'performance']);

/** Groq's API. It refuses fields that it does not know, in the request and in each message. */
export const groqDialect: Dialect = {
  protocol: 'groq',
  path: '/openai/v1/chat/completions',
  capabilities: {
    json_object: true,
    multiple_choices: false,
    logprobs: false,
    audio_input: false,
    audio_output: false,
    file_input: false,
    image_address: true,
    custom_tools: false,
    functions: false,
    logit_bias: false,
    web_search: false,
  },
  fields: {
    only: [
      'frequency_penalty',
      'include_reasoning',
      'n',
      'parallel_tool_calls',
      'presence_penalty',
      'reasoning_effort',
      'reasoning_format',
      'response_format',
      'seed',
      'service_tier',
      'stop',
      'temperature',
      'tool_choice',
      'tools',
      'top_p',
      'user',
    ],
  },
  messageFields: { only: ['role', 'content', 'tool_calls', 'tool_call_id'] },
  outputLimit: 'max_completion_tokens',
  streamUsage: 'always',
  developerRole: false,
  adjust(body) {
    if (!SERVICE_TIERS.has(body.service_tier)) delete body.service_tier;
  },

  reasoningFields: ['reasoning'],
  usageOf: (body) => body.usage ?? ownFields(body).usage,
  errorOf: (body) => body.error ?? ownFields(body).error,
};

/** What the last chunk of a stream has in a field of the API's own. */
function ownFields({ x_groq: own }: JsonObject): JsonObject {
  return isObject(own) ? own : {};
}
