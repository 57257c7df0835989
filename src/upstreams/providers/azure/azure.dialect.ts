import { keyHeader } from '../../client/auth/api-key.scheme.js';
import type { Dialect } from '../openai/dialect.js';
import { HISTORY_OF_OTHERS, MAX_CALL_ID_LENGTH } from '../openai/openai.dialect.js';
import { openAiEfforts } from '../openai/reasoning.js';
import { supporting } from '../shared/capabilities.js';
import { FUNCTION_NAMES } from '../shared/function-calls.js';
import { COMMON_FIELDS } from '../shared/request-fields.js';
import { shortId } from '../shared/tool-call-ids.js';
import { endpoint, isBefore } from './endpoint.js';
import { refineFailure } from './failure.js';

/** API version that introduced stream usage and `max_completion_tokens`. */
const STREAM_USAGE_SINCE = '2024-09-01';

/** Azure's OpenAI API, classic and v1. It refuses unknown fields. */
export const azureDialect: Dialect = {
  protocol: 'azure',
  path: endpoint('chat/completions'),
  embeddings: { path: endpoint('embeddings'), mostInputs: 2048, takesTokens: true, takesBase64: true },
  auth: keyHeader('api-key'),
  entryKeys: { apiVersion: {} },
  textCompletions: { path: endpoint('completions'), takesSuffix: true, takesLists: true },
  capabilities: supporting(
    ['json_object', 'json_schema', 'multiple_choices', 'logprobs', 'image_address', 'functions', 'logit_bias'],
    { forwarding: ['audio_input', 'audio_output', 'file_input', 'custom_tools'] },
  ),
  fields: {
    only: [
      ...COMMON_FIELDS,
      'audio',
      'function_call',
      'functions',
      'logit_bias',
      'logprobs',
      'metadata',
      'modalities',
      'n',
      'parallel_tool_calls',
      'prediction',
      'prompt_cache_key',
      'safety_identifier',
      'seed',
      'store',
      'top_logprobs',
      'user',
      'verbosity',
    ],
  },
  messageFields: { except: HISTORY_OF_OTHERS },
  toolCallId: shortId(MAX_CALL_ID_LENGTH),
  allowedTools: true,
  calledNames: FUNCTION_NAMES,
  schemaMayLack: true,
  efforts: openAiEfforts,
  outputLimit: 'max_completion_tokens',
  streamUsage: 'stream_options',
  // All models accept `system`; older ones accept only that.
  developerRole: false,
  adjust(body, call) {
    if (!isBefore(call, STREAM_USAGE_SINCE)) return;
    delete body.stream_options;
    if (call.request.max_completion_tokens != null || body.max_completion_tokens === undefined) return;
    body.max_tokens = body.max_completion_tokens;
    delete body.max_completion_tokens;
  },

  refineFailure,
};
