import type { EmbeddingBody } from '../contract/native.body.js';

/** A request for the embedding of a single text. */
export function embeddingBody(text: string): EmbeddingBody {
  return {
    api: 'embeddings',
    fields: { input: [text] },
    headers: {},
    inputs: [text],
    offset: 0,
    dimensions: null,
    encoding: 'float',
  };
}
