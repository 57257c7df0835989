import { createPrivateKey, hash, type KeyObject } from 'node:crypto';
import { z } from 'zod';
import type { Environment } from '../../../config/environment.js';
import type { Credential, CredentialOwner } from '../../../config/upstream-protocol.js';
import { parseIfJson } from '../../../json/exact-json.js';
import { CloudIdentity } from './cloud.credential.js';
import { fetchGoogleGrant, GOOGLE_IAM_VARIABLE } from './cloud.grants.js';
import { type GoogleCredential, googleSigner } from './google.signer.js';
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

/** Kinds of files that Google's own library reads, in `GOOGLE_APPLICATION_CREDENTIALS`, and in the upstream's own. */
const FEDERATION = 'external_account';
const LIBRARY_KINDS = [
  FEDERATION,
  'authorized_user',
  'impersonated_service_account',
  'external_account_authorized_user',
];

/**
 * `Authorization: Bearer` with an access token of Google: of a service account whose key is set, otherwise of the
 * application default credentials.
 */
export const GOOGLE: SigningScheme = {
  kind: 'google',
  usesApiKeys: false,
  variables: (prefix) => [[`${prefix}_CREDENTIALS_FILE`], [STANDARD_VARIABLE]],
  read: (environment, { prefix, settings }) => ({ credential: readGoogle(environment, prefix, settings) }),
  createSigner: ({ credential }, client) =>
    credential === null ? null : googleSigner(credential as GoogleCredential, client),
};

type EntrySettings = CredentialOwner['settings'];

/**
 * The JSON in `NAME_CREDENTIALS`, or in the file at `NAME_CREDENTIALS_FILE` or `GOOGLE_APPLICATION_CREDENTIALS`. If none
 * is set, the application default credentials. Null if it is invalid.
 */
function readGoogle(environment: Environment, prefix: string, settings: EntrySettings): Credential | null {
  const own = environment.readSecret(`${prefix}_CREDENTIALS`);
  if (own !== undefined) return credentialOf(own, environment, `${prefix}_CREDENTIALS`, settings);
  const shared = environment.readFileOf(STANDARD_VARIABLE);
  if (shared !== undefined) return credentialOf(shared, environment, STANDARD_VARIABLE, settings);
  return environment.read(STANDARD_VARIABLE) === undefined ? identityOf(environment, null, settings) : null;
}

function credentialOf(
  text: string,
  environment: Environment,
  name: string,
  settings: EntrySettings,
): Credential | null {
  const content = parseIfJson(text);
  const kind = z.object({ type: z.string() }).safeParse(content).data?.type ?? '';
  const isStandard = name === STANDARD_VARIABLE;
  if (isStandard ? LIBRARY_KINDS.includes(kind) : kind === FEDERATION) {
    return identityOf(environment, text, settings, kind !== FEDERATION);
  }
  const account = keyFile.safeParse(content).data;
  const privateKey = account && rsaKey(account.private_key);
  if (account && privateKey) {
    const { client_email: clientEmail, private_key_id: privateKeyId = null, token_uri: tokenUri } = account;
    if (settings.impersonate !== undefined) return identityOf(environment, text, settings, false);
    const credential: GoogleCredential = { clientEmail, privateKey, privateKeyId, tokenUri, secrets: [] };
    return credential;
  }
  environment.fault(name, account ? 'contains no RSA private key' : 'is not the JSON key of a Google service account');
  return null;
}

/** `isFoundByLibrary`: the file, if there is one, is that of the application default credentials. */
function identityOf(
  environment: Environment,
  file: string | null,
  settings: EntrySettings,
  isFoundByLibrary = true,
): CloudIdentity {
  const variables = environment.startingWith('GOOGLE_', 'GCE_', 'GCLOUD_', 'METADATA_SERVER_', 'AWS_', ...COMMON);
  const options = { impersonate: settings.impersonate ?? null, file: file === null ? null : hashOf(file) };
  const own = {
    impersonate: options.impersonate,
    file: isFoundByLibrary ? null : file,
    project: settings.project,
    variables,
  };
  return new CloudIdentity('google', options, () => fetchGoogleGrant(own));
}

const COMMON = [GOOGLE_IAM_VARIABLE, 'HTTPS_PROXY', 'HTTP_PROXY', 'NO_PROXY'];

/** Distinguishes files without revealing their secrets. */
function hashOf(text: string): string {
  return hash('sha256', text);
}

function rsaKey(pem: string): KeyObject | undefined {
  try {
    const key = createPrivateKey(pem);
    return key.asymmetricKeyType === 'rsa' ? key : undefined;
  } catch {
    return undefined;
  }
}
