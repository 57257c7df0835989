import { chunkStream } from '../../contract/chunk.reader.js';
import type { ProviderAdapter } from '../../contract/provider.adapter.js';
import { toError } from '../openai/failure.js';
import { supporting } from '../shared/capabilities.js';
import { ignoredFields } from '../shared/ignored-fields.js';
import { ResponsesChunkReader } from './chunk.reader.js';
import { toCompletion } from './completion.js';
import { failureReading } from './failure.js';
import { NativeResponses } from './native.api.js';
import { isForwarded, toRequestBody } from './request-body.js';
import type { ResponsesSurface } from './responses.surface.js';

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
