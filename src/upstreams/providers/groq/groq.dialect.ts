import { type JsonObject, objectOf } from '../../contract/json.js';
import type { Dialect } from '../openai/dialect.js';
import { supporting } from '../shared/capabilities.js';
import { FUNCTION_NAMES } from '../shared/legacy-functions.js';
import { COMMON_FIELDS } from '../shared/request-fields.js';

/** "Tool choice is required, but model did not call a tool", "Failed to generate JSON": with `failed_generation`. */
const ANSWER_REFUSED: ReadonlySet<string> = new Set(['tool_use_failed', 'json_validate_failed']);
const SERVICE_TIERS = new Set<unknown>(['auto', 'on_demand', 'flex', 'performance']);

/** Groq refuses unknown fields, in the request and in each message. */
export const groqDialect: Dialect = {
  protocol: 'groq',
  path: '/openai/v1/chat/completions',
  capabilities: supporting(['json_object', 'image_address'], { forwarding: ['json_schema'] }),
  fields: {
    only: [
      ...COMMON_FIELDS,
      'citation_options',
      'documents',
      'include_reasoning',
      'n',
      'parallel_tool_calls',
      'reasoning_format',
      'search_settings',
      'seed',
      'service_tier',
      'user',
    ],
  },
  messageFields: { only: ['role', 'content', 'name', 'tool_calls', 'tool_call_id'] },
  adaptMessage: withoutToolName,
  calledNames: FUNCTION_NAMES,
  schemaMayLack: true,
  // "for 'role:system' the following must be satisfied[('messages.0.content' : value must be a string)]"; the same for
  // `tool`.
  textRoles: ['system', 'assistant', 'tool'],
  efforts,
  outputLimit: 'max_completion_tokens',
  streamUsage: 'always',
  developerRole: false,
  adjust(body, { upstreamModel }) {
    if (!SERVICE_TIERS.has(body.service_tier)) delete body.service_tier;
    // Qwen 3: "reasoning_effort must be one of none or default".
    const { reasoning_effort: effort } = body;
    if (effort !== undefined && effort !== 'none' && isOnOrOff(upstreamModel)) body.reasoning_effort = 'default';
  },

  reasoningFields: ['reasoning'],
  // The last chunk of a stream has them in `x_groq`.
  usageOf: (body) => body.usage ?? objectOf(body.x_groq).usage,
  errorOf: (body) => body.error ?? objectOf(body.x_groq).error,
  refineFailure: (failure, { code = '' }) => (ANSWER_REFUSED.has(code) ? { ...failure, answerRefused: true } : failure),
};

/** `reasoning_effort` of the package groq-sdk; GPT-OSS always thinks. Other models differ. */
function efforts(model: string): readonly string[] {
  return model.includes('gpt-oss') ? ['low', 'medium', 'high'] : ['none', 'low', 'medium', 'high'];
}

/**
 * "qwen3 models support `none` […] and `default`. qwen/qwen3.8-27b additionally supports `low`, `medium`, and `high`."
 */
function isOnOrOff(model: string): boolean {
  return /qwen/i.test(model) && !/qwen3\.8/i.test(model);
}

/** Tool messages must not have a name. */
function withoutToolName(message: JsonObject): JsonObject {
  if (message.role !== 'tool' || message.name === undefined) return message;
  const { name: _, ...rest } = message;
  return rest;
}
