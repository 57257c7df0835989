import type { Signer } from '../../contract/upstream.types.js';
import { CloudIdentity } from './cloud.credential.js';
import { fetchAzureGrant } from './cloud.grants.js';
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

/** `Authorization: Bearer` with a token of Microsoft Entra ID, of the gateway's identity in Azure. */
export const AZURE: SigningScheme = {
  kind: 'azure',
  usesApiKeys: false,
  read(environment, { settings: { clientId = null } }) {
    const starts = ['AZURE_', 'IDENTITY_', 'MSI_', 'IMDS_', 'HTTPS_PROXY', 'HTTP_PROXY', 'NO_PROXY'];
    const variables = environment.startingWith(...starts);
    return { credential: new CloudIdentity('azure', { clientId }, () => fetchAzureGrant({ clientId, variables })) };
  },
  createSigner: () => null,
};

export function bearerSigner(apiKey: string): Signer {
  return constant({ authorization: `Bearer ${apiKey}` });
}

function constant(headers: Readonly<Record<string, string>>): Signer {
  return () => headers;
}
