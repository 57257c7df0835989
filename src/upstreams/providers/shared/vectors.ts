import type { Vector } from '../../contract/chat.types.js';
import { isObject, type JsonObject, listOf, objectOf, textOf } from '../../contract/json.js';
import type { EmbeddingBody } from '../../contract/native.body.js';
import { UpstreamError } from '../../contract/upstream.error.js';
import { ignoredFields } from './ignored-fields.js';

/** Throws an `UpstreamError` if the value is neither a list of numbers nor base64 text. */
export function toVector(value: unknown): Vector {
  const isVector = Array.isArray(value) ? typeof value[0] === 'number' : typeof value === 'string' && value !== '';
  if (!isVector) throw new UpstreamError({ status: 502 });
  return value as Vector;
}

/** "Maximum number of texts per call is 96" (docs.cohere.com/reference/embed; the same on Bedrock). */
export const COHERE_BATCH = 96;

const FORWARDED = new Set(['input', 'dimensions', 'encoding_format', 'input_type']);

/**
 * Cohere's request for embeddings, at Cohere and on Bedrock. `input_type` is required; callers can set it. A text that
 * is too long is an error and not cut.
 */
export function cohereEmbeddingFields({ fields, inputs, dimensions }: EmbeddingBody): JsonObject {
  return {
    texts: inputs,
    input_type: textOf(fields.input_type) ?? 'search_document',
    embedding_types: ['float'],
    truncate: 'NONE',
    ...(dimensions !== null && { output_dimension: dimensions }),
  };
}

export function ignoredByCohere({ fields }: EmbeddingBody): string[] {
  return ignoredFields(fields, (field) => FORWARDED.has(field));
}

/** By type (`{ float: […] }`), or a plain list. */
export function cohereVectors(response: unknown): Vector[] {
  const { embeddings } = objectOf(response);
  return listOf(isObject(embeddings) ? embeddings.float : embeddings).map(toVector);
}
