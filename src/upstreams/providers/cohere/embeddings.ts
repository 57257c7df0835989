import type { EmbeddingAnswer } from '../../contract/chat.types.js';
import { countOf, objectOf } from '../../contract/json.js';
import type { EmbeddingsApi } from '../../contract/provider.adapter.js';
import { COHERE_BATCH, cohereEmbeddingFields, cohereVectors, ignoredByCohere } from '../shared/vectors.js';

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
