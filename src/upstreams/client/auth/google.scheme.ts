import { createPrivateKey, type KeyObject } from 'node:crypto';
import { z } from 'zod';
import type { Environment } from '../../../config/environment.js';
import { parseIfJson } from '../../../json/parse-if-json.js';
import { googleSigner } from './google.signer.js';
import type { GoogleCredential } from './google-token.js';
import type { SigningScheme } from './signer.js';

/** The needed fields of a service account's JSON key. */
const keyFile = z.object({
  type: z.literal('service_account'),
  client_email: z.string().min(1),
  private_key: z.string(),
  private_key_id: z.string().optional(),
  token_uri: z.url({ protocol: /^https?$/ }).default('https://oauth2.googleapis.com/token'),
});

const STANDARD_VARIABLE = 'GOOGLE_APPLICATION_CREDENTIALS';

/** `Authorization: Bearer` with an access token for a service account of Google. */
export const GOOGLE: SigningScheme = {
  kind: 'google',
  usesApiKeys: false,
  variables: (prefix) => [[`${prefix}_CREDENTIALS_FILE`], [STANDARD_VARIABLE]],
  read: (environment, { prefix }) => ({ credential: readGoogle(environment, prefix) }),
  createSigner: ({ credential }, client) =>
    credential === null ? null : googleSigner(credential as GoogleCredential, client),
};

/**
 * The service account of an upstream: the JSON in `NAME_CREDENTIALS`, or in the file at `NAME_CREDENTIALS_FILE` or
 * `GOOGLE_APPLICATION_CREDENTIALS`. Null if none is set or it is invalid.
 */
function readGoogle(environment: Environment, prefix: string): GoogleCredential | null {
  const own = environment.readSecret(`${prefix}_CREDENTIALS`);
  if (own !== undefined) return credentialOf(own, environment, `${prefix}_CREDENTIALS`);
  const shared = environment.readFileOf(STANDARD_VARIABLE);
  return shared === undefined ? null : credentialOf(shared, environment, STANDARD_VARIABLE);
}

function credentialOf(text: string, environment: Environment, name: string): GoogleCredential | null {
  const account = keyFile.safeParse(parseIfJson(text)).data;
  const privateKey = account && rsaKey(account.private_key);
  if (account && privateKey) {
    const { client_email: clientEmail, private_key_id: privateKeyId = null, token_uri: tokenUri } = account;
    return { clientEmail, privateKey, privateKeyId, tokenUri, secrets: [] };
  }
  environment.fault(name, account ? 'contains no RSA private key' : 'is not the JSON key of a Google service account');
  return null;
}

function rsaKey(pem: string): KeyObject | undefined {
  try {
    const key = createPrivateKey(pem);
    return key.asymmetricKeyType === 'rsa' ? key : undefined;
  } catch {
    return undefined;
  }
}
