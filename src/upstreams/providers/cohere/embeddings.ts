import type { EmbeddingAnswer } from '../../contract/embedding.types.js';
import { countOf, isObject } from '../../contract/json.js';
import type { EmbeddingsApi } from '../../contract/provider.adapter.js';
import { cohereEmbeddingFields, cohereVectors, ignoredByCohere } from '../shared/cohere-embeddings.js';

/** docs.cohere.com/reference/embed: "Maximum number of texts per call is 96". */
const BATCH = 96;

/** Cohere's Embed API, version 2. */
export const cohereEmbeddings: EmbeddingsApi = {
  mostInputs: BATCH,
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
  const { meta } = isObject(response) ? response : {};
  const { billed_units } = isObject(meta) ? meta : {};
  const inputTokens = isObject(billed_units) ? countOf(billed_units.input_tokens) : undefined;
  return { vectors: cohereVectors(response), inputTokens };
}
