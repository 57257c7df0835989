import { chunkStream } from '../../contract/chunk.reader.js';
import type { NativeTarget, ProviderAdapter, ProviderCall } from '../../contract/provider.adapter.js';
import { toError } from '../openai/failure.js';
import { alwaysReasons, openAiEfforts, RESPONSES_EFFORTS } from '../openai/request.js';
import { hasFunctionTools } from '../openai/tools.js';
import { supporting } from '../shared/capabilities.js';
import { ignoredFields } from '../shared/ignored-fields.js';
import { supportedEffort } from '../shared/requested-tools.js';
import { failureReading } from './failure.js';
import { NativeResponses, type ResponsesSurface } from './native.api.js';
import {
  isForwarded,
  type ReducedRequest,
  toRequestBody,
  unsupportedField,
  withoutLacking,
  withoutSampling,
} from './request.js';
import { ResponsesChunkReader, toCompletion } from './response.js';

/**
 * Adapter for OpenAI's Responses API, which some models require for function tools (`openai` package,
 * resources/responses/responses.d.ts).
 *
 * - Nothing is stored upstream unless the caller sets `store`, so each call contains the whole conversation.
 * - Encrypted reasoning before a tool call is sent to the client in the call's `extra_content.openai.reasoning_items`,
 *   and the client returns it there (SDKs preserve unknown fields of a tool call). Without it the conversation is still
 *   valid.
 * - Fields that the API does not have are a 400: `stop`, `seed`, the penalties, `logit_bias`, `n`, `prediction` and
 *   audio.
 */
export function openAiResponses(surface: ResponsesSurface): ProviderAdapter {
  const { protocol, auth, path } = surface;
  const failures = failureReading(surface);
  const native = new NativeResponses(surface);
  return {
    protocol,
    framing: 'sse',
    auth,
    capabilities: supporting([
      'json_object',
      'json_schema',
      'logprobs',
      'file_input',
      'image_address',
      'tool_images',
      'custom_tools',
      'web_search',
    ]),
    nativeApi: (api) => (api === 'responses' ? native : null),

    toRequest: (call) => ({
      method: 'POST',
      path: path(call),
      headers: {},
      body: toRequestBody(call),
      ignored: ignoredFields(call.request, isForwarded),
    }),

    fromResponse: (body, call) => toCompletion(body, call, failures),
    fromStream: chunkStream((call, emit) => new ResponsesChunkReader(call, failures, emit)),
    toError: (status, headers, body, call) => toError(status, headers, body, call, failures),
  };
}

/**
 * For upstreams with both APIs under one base URL and credential. Chat Completions serves all calls, except those with
 * function tools for models that reason with them only in the Responses API, and those with an effort that only the
 * Responses API has.
 *
 * "Function tools with reasoning_effort are not supported for gpt-5.6-sol in /v1/chat/completions. To use function
 * tools, use /v1/responses or set reasoning_effort to 'none'." GPT-5.4 returns this if an effort is set, GPT-5.6 also
 * if none is (openai/openai-openapi#541, danny-avila/LibreChat#14355).
 */
export function chatOrResponses(
  chat: ProviderAdapter,
  responses: ProviderAdapter,
  hasResponses: (target: NativeTarget) => boolean = () => true,
): ProviderAdapter {
  const serving = (call: ProviderCall) => (hasResponses(call) && needsResponses(call) ? responses : chat);
  return {
    ...chat,
    nativeApi: (api, target) => (hasResponses(target) ? (responses.nativeApi?.(api, target) ?? null) : null),
    fromResponse: (body, call) => serving(call).fromResponse(body, call),
    fromStream: (call) => serving(call).fromStream(call),
    toError: (status, headers, body, call) => serving(call).toError(status, headers, body, call),

    toRequest(call) {
      const adapter = serving(call);
      const { request, leftOut } = servedRequest(call, adapter === responses);
      const sent = adapter.toRequest({ ...call, request });
      return leftOut.length === 0 ? sent : { ...sent, ignored: [...leftOut, ...(sent.ignored ?? [])] };
    },
  };
}

/**
 * Deterministic for a call. Requests that only Chat Completions can express are sent there without reasoning. If they
 * also set an effort, the Responses API is chosen, which refuses the unsupported field; with a model that always
 * reasons, the field is left out.
 */
function needsResponses(call: ProviderCall): boolean {
  const { request, reasonsWithoutTools, traits } = call;
  const effort = supportedEffort(call, openAiEfforts(call.upstreamModel));
  const refusesTools =
    effort === undefined ? reasonsWithoutTools === 'always' : reasonsWithoutTools && effort !== 'none';
  const lacksTools = refusesTools && hasFunctionTools(request);
  if (lacksTools && (effort !== undefined || alwaysReasons(call))) return true;
  const lacksEffort = traits.efforts !== null && effort !== undefined && RESPONSES_EFFORTS.includes(effort);
  return (lacksTools || lacksEffort) && unsupportedField(request) === undefined;
}

/** The request without what its API refuses from a model that always reasons, and the names of these fields. */
function servedRequest(call: ProviderCall, isForResponses: boolean): ReducedRequest {
  const { request } = call;
  if (!alwaysReasons(call)) return { request, leftOut: [] };
  const reduced = isForResponses ? withoutLacking(request) : { request, leftOut: [] };
  const { request: served, leftOut } = withoutSampling(reduced.request);
  return { request: served, leftOut: [...reduced.leftOut, ...leftOut] };
}
