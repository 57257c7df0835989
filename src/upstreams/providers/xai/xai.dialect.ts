import type { JsonObject } from '../../contract/json.js';
import type { UpstreamFailure } from '../../contract/upstream.error.js';
import type { Dialect, ErrorFacts } from '../openai/dialect.js';
import { supporting } from '../shared/capabilities.js';
import { COMMON_FIELDS } from '../shared/request-fields.js';

/** Package xai-sdk, 1.17.0. */
const SERVICE_TIERS = new Set<unknown>(['default', 'priority']);

export const xaiDialect = {
  protocol: 'xai',
  // Searches are billed by source, and deferred answers must be fetched later.
  responses: { withheld: ['search_parameters', 'deferred'] },
  capabilities: supporting(['json_object', 'json_schema', 'multiple_choices', 'image_address'], {
    forwarding: ['logprobs', 'file_input'],
  }),
  // "When files are attached, the system automatically enables document search" (docs.x.ai, "Chat with Files").
  fileTool: 'attachment_search',
  // Its agents make a request of their own for each step, and `input_tokens` sums these (docs.x.ai, "Tool Usage Details").
  rereadsPrompt: true,
  fields: {
    only: [...COMMON_FIELDS, 'logprobs', 'n', 'parallel_tool_calls', 'seed', 'service_tier', 'top_logprobs', 'user'],
  },
  messageFields: { only: ['role', 'content', 'name', 'tool_calls', 'tool_call_id'] },
  efforts,
  outputLimit: 'max_completion_tokens',
  streamUsage: 'stream_options',
  developerRole: false,

  adjust(body: JsonObject) {
    if (!SERVICE_TIERS.has(body.service_tier)) delete body.service_tier;
  },
  // Reasoning tokens are only included in the total.
  shortCount: 'completion_tokens',
  refineFailure,
} as const satisfies Dialect;

/** docs.x.ai/developers/model-capabilities/text/reasoning: none and low to high; more for multi-agent models. */
function efforts(model: string): readonly string[] {
  return model.startsWith('grok-4.3') ? ['none', 'low', 'medium', 'high'] : ['none', 'low', 'medium', 'high', 'xhigh'];
}

/** Errors that need a closer look: a bad key (400), refused content (403), and xAI's own names of parameters. */
function refineFailure(failure: UpstreamFailure, { message = '' }: ErrorFacts): UpstreamFailure {
  if (/incorrect api key/i.test(message)) return { ...failure, credentialRefused: true };
  if (/content violates usage guidelines/i.test(message)) {
    return { ...failure, status: 400, code: 'content_filter', message: 'The content violates usage guidelines.' };
  }
  const [, parameter] =
    /(?:argument not supported on this model: |does not support parameter )(\w+)/i.exec(message) ?? [];
  return parameter ? { ...failure, param: snakeCase(parameter), paramIsStructured: false } : failure;
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
