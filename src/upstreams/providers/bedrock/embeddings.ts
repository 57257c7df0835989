import type { EmbeddingAnswer } from '../../contract/chat.types.js';
import { countOf, type JsonObject, objectOf } from '../../contract/json.js';
import type { EmbeddingBody } from '../../contract/native.body.js';
import type { EmbeddingsApi, NativeTarget, ProviderCall, ProviderRequest } from '../../contract/provider.adapter.js';
import { ignoredFields } from '../shared/ignored-fields.js';
import { COHERE_BATCH, cohereEmbeddingFields, cohereVectors, ignoredByCohere, toVector } from '../shared/vectors.js';

const OF_TITAN = new Set(['input', 'dimensions', 'encoding_format']);

/** Titan and Cohere models, called with InvokeModel, as Converse has no embeddings. Null for other models. */
export function embeddingsOf({ upstreamModel }: NativeTarget): EmbeddingsApi | null {
  if (upstreamModel.includes('cohere.embed')) return cohere;
  return upstreamModel.includes('titan-embed') ? titan : null;
}

/** One text per request. Titan 2 has 256, 512 or 1024 dimensions; Titan 1 has no choice. */
const titan: EmbeddingsApi = {
  mostInputs: 1,
  takesTokens: false,
  toRequest: (call, { fields, inputs, dimensions }) =>
    invoke(
      call,
      { inputText: inputs[0], ...(dimensions !== null && { dimensions }) },
      ignoredFields(fields, (field) => OF_TITAN.has(field)),
    ),
  fromResponse(response): EmbeddingAnswer {
    const { embedding, inputTextTokenCount } = objectOf(response);
    return { vectors: [toVector(embedding)], inputTokens: countOf(inputTextTokenCount) };
  },
};

/** Reports its tokens only in a header. */
const cohere: EmbeddingsApi = {
  mostInputs: COHERE_BATCH,
  takesTokens: false,
  toRequest: (call, body: EmbeddingBody) => invoke(call, cohereEmbeddingFields(body), ignoredByCohere(body)),
  fromResponse: (response) => ({ vectors: cohereVectors(response) }),
};

function invoke({ upstreamModel }: ProviderCall, body: JsonObject, ignored: string[]): ProviderRequest {
  return { method: 'POST', path: `/model/${encodeURIComponent(upstreamModel)}/invoke`, headers: {}, body, ignored };
}
