import type { Signer } from './signer.js';

/** The key alone in a header of its own, for example `x-api-key`. */
export function headerSigner(name: string, apiKey: string): Signer {
  const headers = { [name]: apiKey };
  return () => headers;
}
