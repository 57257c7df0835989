import { isObject, type JsonObject } from '../../contract/json.js';
import type { Dialect } from '../openai/dialect.js';
import { FUNCTION_NAMES } from '../shared/function-calls.js';

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
      'citation_options',
      'documents',
      'frequency_penalty',
      'include_reasoning',
      'n',
      'parallel_tool_calls',
      'presence_penalty',
      'reasoning_effort',
      'reasoning_format',
      'response_format',
      'search_settings',
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
  messageFields: { only: ['role', 'content', 'name', 'tool_calls', 'tool_call_id'] },
  adaptMessage: withoutToolName,
  calledNames: FUNCTION_NAMES,
  schemaMayLack: true,
  // "for 'role:system' the following must be satisfied[('messages.0.content' : value must be a string)]"; so for `tool`.
  textRoles: ['system', 'assistant', 'tool'],
  efforts,
  outputLimit: 'max_completion_tokens',
  streamUsage: 'always',
  developerRole: false,
  adjust(body, { upstreamModel }) {
    if (!SERVICE_TIERS.has(body.service_tier)) delete body.service_tier;
    // "reasoning_effort must be one of none or default", says Qwen 3.
    const { reasoning_effort: effort } = body;
    if (effort !== undefined && effort !== 'none' && isOnOrOff(upstreamModel)) body.reasoning_effort = 'default';
  },

  reasoningFields: ['reasoning'],
  usageOf: (body) => body.usage ?? ownFields(body).usage,
  errorOf: (body) => body.error ?? ownFields(body).error,
};

/** `reasoning_effort` of the package groq-sdk; GPT-OSS cannot be told not to think. What others know differs by model. */
function efforts(model: string): readonly string[] {
  return model.includes('gpt-oss') ? ['low', 'medium', 'high'] : ['none', 'low', 'medium', 'high'];
}

/** "qwen3 models support `none` […] and `default`. qwen/qwen3.8-27b additionally supports `low`, `medium`, and `high`." */
function isOnOrOff(model: string): boolean {
  return /qwen/i.test(model) && !/qwen3\.8/i.test(model);
}

/** The API knows participants by name, but for tools. */
function withoutToolName(message: JsonObject): JsonObject {
  if (message.role !== 'tool' || message.name === undefined) return message;
  const { name: _, ...rest } = message;
  return rest;
}

/** What the last chunk of a stream has in a field of the API's own. */
function ownFields({ x_groq: own }: JsonObject): JsonObject {
  return isObject(own) ? own : {};
}
