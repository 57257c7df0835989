import type { EmbeddingAnswer } from '../../contract/chat.types.js';
import { countOf, type JsonObject, objectOf, objectsOf } from '../../contract/json.js';
import type { EmbeddingsApi } from '../../contract/provider.adapter.js';
import { ignoredFields } from '../shared/ignored-fields.js';
import { toVector } from '../shared/vectors.js';
import { type Dialect, fieldTest } from './dialect.js';

/** Fields that are converted separately. */
const HANDLED = new Set(['input', 'dimensions', 'encoding_format']);

/** The embeddings of a dialect; null: it has none. */
export function embeddingsOf({ embeddings, fields: accepted }: Dialect): EmbeddingsApi | null {
  if (!embeddings) return null;
  const { path = '/embeddings', mostInputs, mostTokens, takesTokens, takesBase64 } = embeddings;
  const { dimensionsField = 'dimensions' } = embeddings;
  const isForwarded = fieldTest(accepted);
  return {
    mostInputs,
    mostTokens,
    takesTokens,
    takesBase64,

    toRequest(call, { fields, inputs, dimensions, encoding }) {
      const body: JsonObject = { model: call.upstreamModel, input: inputs };
      if (dimensions !== null) body[dimensionsField] = dimensions;
      if (takesBase64) body.encoding_format = encoding;
      for (const field of Object.keys(fields)) {
        if (!HANDLED.has(field) && isForwarded(field)) body[field] = fields[field];
      }
      return {
        method: 'POST',
        path: typeof path === 'string' ? path : path(call),
        headers: {},
        body,
        ignored: ignoredFields(fields, (field) => HANDLED.has(field) || isForwarded(field)),
      };
    },

    fromResponse,
  };
}

/** Entries are in the order of their `index`. */
function fromResponse(response: unknown): EmbeddingAnswer {
  const { data, usage } = objectOf(response);
  const entries = objectsOf(data).sort((a, b) => (countOf(a.index) ?? 0) - (countOf(b.index) ?? 0));
  const { prompt_tokens, total_tokens } = objectOf(usage);
  return {
    vectors: entries.map(({ embedding }) => toVector(embedding)),
    inputTokens: countOf(prompt_tokens) ?? countOf(total_tokens),
  };
}
