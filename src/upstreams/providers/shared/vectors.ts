import type { Vector } from '../../contract/embedding.types.js';
import { UpstreamError } from '../../contract/upstream.error.js';

/** Throws an `UpstreamError` if the value is neither a list of numbers nor base64 text. */
export function toVector(value: unknown): Vector {
  const isVector = Array.isArray(value) ? typeof value[0] === 'number' : typeof value === 'string' && value !== '';
  if (!isVector) throw new UpstreamError({ status: 502 });
  return value as Vector;
}
