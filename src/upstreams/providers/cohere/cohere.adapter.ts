import { BEARER } from '../../client/auth/api-key.scheme.js';
import type { EmbeddingAnswer } from '../../contract/chat.types.js';
import { chunkStream } from '../../contract/chunk.reader.js';
import { countOf, objectOf } from '../../contract/json.js';
import type { EmbeddingsApi, ProviderAdapter, ProviderCall, ProviderRequest } from '../../contract/provider.adapter.js';
import { supporting } from '../shared/capabilities.js';
import { ignoredFields } from '../shared/ignored-fields.js';
import { COHERE_BATCH, cohereEmbeddingFields, cohereVectors, ignoredByCohere } from '../shared/vectors.js';
import { toError } from './failure.js';
import { isForwarded, toRequestBody } from './request.js';
import { CohereChunkReader, toCompletion } from './response.js';

/**
 * Adapter for Cohere's Chat API, version 2.
 *
 * - Usage is the usage that Cohere bills. `prompt_tokens_details` has the size of the whole context: see `toUsage`.
 * - Reasoning or plans before tool calls are sent as `reasoning_content` and also in the first tool call's
 *   `extra_content.cohere`, as the API needs them back with the tool results (SDKs preserve unknown fields of a tool
 *   call). Nothing is stored; without them the conversation is still valid.
 * - Tool names allow fewer characters than OpenAI's, so other names are replaced in requests and restored in answers.
 * - For `parallel_tool_calls: false` only the first call is passed on, as the API has no such option.
 * - The API's own fields `thinking`, `k` (or `top_k`), `documents`, `citation_options` and `safety_mode` are passed on.
 */
export const cohereAdapter = {
  protocol: 'cohere',
  framing: 'sse',
  auth: BEARER,
  capabilities: supporting(['json_object', 'json_schema', 'logprobs', 'image_address']),

  fromResponse: toCompletion,
  fromStream: chunkStream((call, emit) => new CohereChunkReader(call, emit)),
  toError,
  embeddings: () => cohereEmbeddings,

  toRequest(call: ProviderCall): ProviderRequest {
    return {
      method: 'POST',
      path: '/v2/chat',
      headers: {},
      body: toRequestBody(call),
      ignored: ignoredFields(call.request, isForwarded),
    };
  },
} satisfies ProviderAdapter;

/** Cohere's Embed API, version 2. */
export const cohereEmbeddings: EmbeddingsApi = {
  mostInputs: COHERE_BATCH,
  takesTokens: false,
  toRequest: (call, body) => ({
    method: 'POST',
    path: '/v2/embed',
    headers: {},
    body: { model: call.upstreamModel, ...cohereEmbeddingFields(body) },
    ignored: ignoredByCohere(body),
  }),
  fromResponse,
};

function fromResponse(response: unknown): EmbeddingAnswer {
  const { billed_units } = objectOf(objectOf(response).meta);
  return { vectors: cohereVectors(response), inputTokens: countOf(objectOf(billed_units).input_tokens) };
}
