import type { Signer } from '../upstream.types.js';
import type { SigningScheme } from './signer.js';

/** `Authorization: Bearer` with the API key. */
export const BEARER: SigningScheme = {
  kind: 'bearer',
  usesApiKeys: true,
  createSigner: ({ apiKey }) => (apiKey === null ? null : bearerSigner(apiKey)),
};

/** The API key alone in a header, for example `x-api-key`. */
export function keyHeader(header: string): SigningScheme {
  return {
    kind: 'header',
    header,
    usesApiKeys: true,
    createSigner: ({ apiKey }) => (apiKey === null ? null : constant({ [header]: apiKey })),
  };
}

export function bearerSigner(apiKey: string): Signer {
  return constant({ authorization: `Bearer ${apiKey}` });
}

function constant(headers: Readonly<Record<string, string>>): Signer {
  return () => headers;
}
