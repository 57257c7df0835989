import { AZURE, keyHeader } from '../../client/auth/api-key.scheme.js';
import type { NativeTarget, ProviderCall } from '../../contract/provider.adapter.js';
import type { UpstreamFailure } from '../../contract/upstream.error.js';
import type { Dialect, ErrorFacts } from '../openai/dialect.js';
import { HISTORY_OF_OTHERS, isSearchModel, MAX_CALL_ID_LENGTH } from '../openai/openai.dialect.js';
import { openAiEfforts, RESPONSES_EFFORTS } from '../openai/request.js';
import type { ResponsesSurface } from '../openai-responses/native.api.js';
import { supporting } from '../shared/capabilities.js';
import { FUNCTION_NAMES } from '../shared/legacy-functions.js';
import { COMMON_FIELDS } from '../shared/request-fields.js';
import { shortId } from '../shared/tool-calls.js';

/** API version that introduced stream usage and `max_completion_tokens`. */
const STREAM_USAGE_SINCE = '2024-09-01';

/** Azure's OpenAI API, classic and v1. It refuses unknown fields. */
export const azureDialect: Dialect = {
  protocol: 'azure',
  searchesUnasked: isSearchModel,
  path: endpoint('chat/completions'),
  embeddings: { path: endpoint('embeddings'), mostInputs: 2048, takesTokens: true, takesBase64: true },
  auth: keyHeader('api-key'),
  namedAuths: { azure: AZURE },
  entryKeys: { apiVersion: {} },
  textCompletions: { path: endpoint('completions'), takesSuffix: true, takesLists: true, takesZero: true },
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
  refusedEfforts: RESPONSES_EFFORTS,
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
  namesDeployments: true,
};

/**
 * Returns the function from a call to the path of an API. The classic API has the deployment in the path, and a dated
 * version (`2024-10-21`). v1 has the deployment as the model, and needs a version only for previews.
 */
function endpoint(api: string): (call: NativeTarget) => string {
  return ({ settings: { apiVersion = 'v1' }, upstreamModel }) => {
    if (!isDated(apiVersion)) return newerSurface(api, apiVersion);
    const version = encodeURIComponent(apiVersion);
    return `/openai/deployments/${encodeURIComponent(upstreamModel)}/${api}?api-version=${version}`;
  };
}

/** Only v1 has the Responses API. */
function responsesEndpoint({ settings }: ProviderCall): string {
  return newerSurface('responses', settings.apiVersion);
}

/** Whether the call uses v1. */
export function hasResponses({ settings }: NativeTarget): boolean {
  return !isDated(settings.apiVersion ?? 'v1');
}

function newerSurface(path: string, apiVersion = 'v1'): string {
  return `/openai/v1/${path}${apiVersion === 'v1' ? '' : `?api-version=${encodeURIComponent(apiVersion)}`}`;
}

/** Whether the configured version is older than `date`. */
function isBefore({ settings }: ProviderCall, date: string): boolean {
  const { apiVersion = 'v1' } = settings;
  return isDated(apiVersion) && apiVersion < date;
}

function isDated(version: string): boolean {
  return /^\d{4}-\d{2}-\d{2}/.test(version);
}

/** Content filter errors concern the prompt; a deployment of the wrong model kind is the gateway's fault. */
function refineFailure(failure: UpstreamFailure, { code }: ErrorFacts): UpstreamFailure {
  if (code === 'OperationNotSupported') return { ...failure, status: 404 };
  // "There will be a charge for this request as the prompt was evaluated by the service" (learn.microsoft.com, "Content
  // filtering").
  const refused = failure.code === 'content_filter' ? { ...failure, billsPrompt: true } : failure;
  return refused.param === 'prompt' ? { ...refused, param: 'messages' } : refused;
}

export const azureResponses: ResponsesSurface = {
  protocol: 'azure',
  path: responsesEndpoint,
  auth: keyHeader('api-key'),
  refineFailure,
};
