import type { Vector } from '../contract/embedding.types.js';
import type { EmbeddingBody } from '../contract/native.body.js';
import { UpstreamError } from '../contract/upstream.error.js';
import type { ResponseWithLists } from './number-lists.js';

const BYTES_PER_NUMBER = 4;

/**
 * The entries of `data` in OpenAI's format, as JSON text without the enclosing brackets. Vectors that do not have the
 * requested encoding are converted. `listOf`: the JSON text of vectors that were not parsed.
 */
export function embeddingEntries(
  vectors: readonly Vector[],
  { encoding, offset }: Pick<EmbeddingBody, 'encoding' | 'offset'>,
  listOf: ResponseWithLists['listOf'] = () => undefined,
): string {
  const write = encoding === 'base64' ? base64Json : numbersJson;
  return vectors
    .map(
      (vector, index) =>
        `{"object":"embedding","index":${offset + index},"embedding":${write(vector, listOf(vector))}}`,
    )
    .join(',');
}

function numbersJson(vector: Vector, list: string | undefined): string {
  return list ?? JSON.stringify(typeof vector === 'string' ? fromBase64(vector) : vector);
}

function base64Json(vector: Vector, list: string | undefined): string {
  const numbers: Vector = list === undefined ? vector : (JSON.parse(list) as number[]);
  return JSON.stringify(typeof numbers === 'string' ? numbers : toBase64(numbers));
}

/** Little-endian 32-bit floats. */
function toBase64(vector: readonly number[]): string {
  const bytes = Buffer.allocUnsafe(vector.length * BYTES_PER_NUMBER);
  for (let index = 0; index < vector.length; index++) bytes.writeFloatLE(vector[index] ?? 0, index * BYTES_PER_NUMBER);
  return bytes.toString('base64');
}

function fromBase64(text: string): number[] {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length === 0 || bytes.length % BYTES_PER_NUMBER !== 0) throw new UpstreamError({ status: 502 });
  const numbers: number[] = [];
  for (let at = 0; at < bytes.length; at += BYTES_PER_NUMBER) numbers.push(bytes.readFloatLE(at));
  return numbers;
}
