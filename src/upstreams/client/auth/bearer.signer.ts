import type { Signer } from './signer.js';

/** `Authorization: Bearer …` */
export function bearerSigner(apiKey: string): Signer {
  const headers = { authorization: `Bearer ${apiKey}` };
  return () => headers;
}
