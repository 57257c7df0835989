import { Agent } from 'node:https';
import { addToProcess } from '../../../config/environment.js';
import type { CloudGrant } from './cloud.credential.js';
import { type AwsCredential, sigV4Signer } from './sigv4.signer.js';

// The libraries of the clouds are loaded when the first credential is fetched: they take a tenth of a second and more,
// and tens of megabytes. Each fetch has a new client, as their own caches would return the credential to be replaced.

/** Variables of `.env`, which the libraries read from the process. */
export type CloudVariables = Readonly<Record<string, string>>;

export interface AwsOptions {
  readonly service: string;
  readonly region: string;
  readonly roleArn: string | null;
  readonly externalId: string | null;
  readonly roleSessionName: string | null;
  /** A key pair of the gateway that assumes the role; null: the default chain. */
  readonly pair: AwsCredential | null;
  readonly variables: CloudVariables;
}

/** Where the default chain of AWS found a credential, by the library's marks; instance metadata has none. */
const AWS_SOURCES: readonly (readonly [mark: string, source: string])[] = [
  ['CREDENTIALS_HTTP', 'container metadata'],
  ['CREDENTIALS_STS_ASSUME_ROLE_WEB_ID', 'a web identity token'],
  ['CREDENTIALS_SSO', 'single sign-on'],
  ['CREDENTIALS_SSO_LEGACY', 'single sign-on'],
  ['CREDENTIALS_PROCESS', 'a credential process'],
  ['CREDENTIALS_PROFILE', 'the shared files'],
  ['CREDENTIALS_ENV_VARS', 'the environment'],
];

interface AwsKeys {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
  readonly expiration?: Date;
  readonly $source?: Readonly<Record<string, string | undefined>>;
}

export async function fetchAwsGrant(options: AwsOptions): Promise<CloudGrant> {
  const { service, region, roleArn, pair, variables } = options;
  addToProcess(variables);
  const clientConfig = { region, requestHandler: { httpsAgent: new Agent({ proxyEnv: variables }) } };
  const { defaultProvider } = await import('@aws-sdk/credential-provider-node');
  const own: AwsKeys = pair ? plainPair(pair) : await defaultProvider({ clientConfig })();
  const from = pair ? 'the key pair of the environment' : sourceOf(own);
  const keys = roleArn === null ? own : await assumedKeys(own, roleArn, options, clientConfig);
  const { accessKeyId, secretAccessKey, sessionToken = null, expiration = null } = keys;
  const secrets = [accessKeyId, secretAccessKey, ...(sessionToken === null ? [] : [sessionToken])];
  return {
    sign: sigV4Signer(service, { accessKeyId, secretAccessKey, sessionToken, region, secrets }),
    secrets,
    endsAt: expiration,
    source: roleArn === null ? from : `the role ${roleArn}, assumed with ${from}`,
  };
}

async function assumedKeys(
  masterCredentials: AwsKeys,
  roleArn: string,
  { externalId, roleSessionName }: AwsOptions,
  clientConfig: object,
): Promise<AwsKeys> {
  const { fromTemporaryCredentials } = await import('@aws-sdk/credential-providers');
  const params = {
    RoleArn: roleArn,
    RoleSessionName: roleSessionName ?? 'chat-completion-gateway',
    ...(externalId !== null && { ExternalId: externalId }),
  };
  return fromTemporaryCredentials({ masterCredentials, params, clientConfig })();
}

function plainPair({ accessKeyId, secretAccessKey, sessionToken }: AwsCredential): AwsKeys {
  return { accessKeyId, secretAccessKey, ...(sessionToken !== null && { sessionToken }) };
}

function sourceOf({ $source = {} }: AwsKeys): string {
  return AWS_SOURCES.find(([mark]) => mark in $source)?.[1] ?? 'instance metadata';
}

export interface AzureOptions {
  readonly clientId: string | null;
  readonly variables: CloudVariables;
}

const AZURE_SCOPE = 'https://cognitiveservices.azure.com/.default';
const AZURE_AUTHORITIES = ['login.microsoftonline.com', 'login.microsoftonline.us', 'login.chinacloudapi.cn'];

export async function fetchAzureGrant({ clientId, variables }: AzureOptions): Promise<CloudGrant> {
  addToProcess(variables);
  const azure = await import('@azure/identity');
  const { AZURE_AUTHORITY_HOST: authorityHost, AZURE_CLIENT_ID: commonId } = variables;
  const disableInstanceDiscovery =
    authorityHost !== undefined && !AZURE_AUTHORITIES.some((host) => new URL(authorityHost).hostname === host);
  const id = clientId ?? commonId;
  const options = { disableInstanceDiscovery, ...(id && { clientId: id }) };
  const [credential, source] =
    variables.AZURE_CLIENT_SECRET || variables.AZURE_CLIENT_CERTIFICATE_PATH
      ? [new azure.EnvironmentCredential({ disableInstanceDiscovery }), 'the application of the environment']
      : variables.AZURE_FEDERATED_TOKEN_FILE
        ? [new azure.WorkloadIdentityCredential(options), 'workload identity']
        : [new azure.ManagedIdentityCredential(id ? { clientId: id } : {}), 'managed identity'];
  const token = await credential.getToken(AZURE_SCOPE);
  const name = variables.AZURE_CLIENT_SECRET ? commonId : id;
  return bearerGrant(token?.token, token?.expiresOnTimestamp, name ? `${source} ${name}` : source);
}

export interface GoogleOptions {
  readonly impersonate: string | null;
  /** The content of the upstream's own file; null: application default credentials. */
  readonly file: string | null;
  /** Saves the library from asking for it. */
  readonly project: string | undefined;
  readonly variables: CloudVariables;
}

export const GOOGLE_SCOPE = 'https://www.googleapis.com/auth/cloud-platform';
/** Google Cloud's own variable for another address of its IAM credentials API. */
export const GOOGLE_IAM_VARIABLE = 'CLOUDSDK_API_ENDPOINT_OVERRIDES_IAMCREDENTIALS';

type GoogleLibrary = typeof import('google-auth-library');

export async function fetchGoogleGrant({ impersonate, file, project, variables }: GoogleOptions): Promise<CloudGrant> {
  addToProcess(variables);
  const google = await import('google-auth-library');
  const client =
    file === null
      ? await new google.GoogleAuth({ scopes: [GOOGLE_SCOPE], ...(project && { projectId: project }) }).getClient()
      : clientOf(google, file);
  const from = kindOf(google, client);
  const { token } = await client.getAccessToken();
  if (impersonate === null) return bearerGrant(token, client.credentials.expiry_date, from);
  const base = variables[GOOGLE_IAM_VARIABLE]?.replace(/\/+$/, '') ?? `https://iamcredentials.${client.universeDomain}`;
  const { data } = await client.request<{ accessToken?: string; expireTime?: string }>({
    url: `${base}/v1/projects/-/serviceAccounts/${impersonate}:generateAccessToken`,
    method: 'POST',
    data: { scope: [GOOGLE_SCOPE], lifetime: '3600s' },
  });
  return bearerGrant(data.accessToken, Date.parse(data.expireTime ?? ''), `${impersonate}, impersonated by ${from}`);
}

/** Of a service account's key or workload identity federation. */
function clientOf({ JWT, AwsClient, PluggableAuthClient, IdentityPoolClient }: GoogleLibrary, file: string) {
  const content = JSON.parse(file);
  if (content.type === 'service_account') {
    return new JWT({ email: content.client_email, key: content.private_key, scopes: [GOOGLE_SCOPE] });
  }
  const source = content.credential_source ?? {};
  const Client = source.environment_id ? AwsClient : source.executable ? PluggableAuthClient : IdentityPoolClient;
  const client = new Client(content);
  client.scopes = [GOOGLE_SCOPE];
  return client;
}

function kindOf(google: GoogleLibrary, client: unknown): string {
  if (client instanceof google.BaseExternalAccountClient) return 'workload identity federation';
  if (client instanceof google.Compute) return 'the metadata server';
  if (client instanceof google.Impersonated) return 'an impersonated service account';
  return client instanceof google.JWT ? 'a service account' : 'the application default credentials';
}

function bearerGrant(
  token: string | null | undefined,
  endsAtMs: number | null | undefined,
  source: string,
): CloudGrant {
  if (!token || !/^[\x21-\x7e]+$/.test(token)) throw new Error('The cloud sent no access token.');
  if (!endsAtMs) throw new Error('The cloud sent an access token without its end.');
  const headers = { authorization: `Bearer ${token}` };
  return { sign: () => headers, secrets: [token], endsAt: new Date(endsAtMs), source };
}
