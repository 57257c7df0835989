import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Certificate, createCertificate } from '../../../../test/support/certificate.js';
import type { ReceivedRequest } from '../../../../test/support/received-request.js';
import { json, reply, type Script } from '../../../../test/support/script.js';
import { ScriptedUpstream } from '../../../../test/support/scripted-upstream.js';
import { createWorkFolder } from '../../../../test/support/test-settings.js';
import { loadSettings } from '../../../config/settings.js';
import { PROVIDERS } from '../../providers/providers.js';
import { type CloudGrant, CloudIdentity } from './cloud.credential.js';

const END = new Date('2099-01-01T12:00:00Z');
const ROLE = 'arn:aws:iam::123456789012:role/gateway';
const BEDROCK = 'up: { protocol: bedrock, baseUrl: "https://bedrock-runtime.eu-west-3.amazonaws.com"';
const AZURE = 'up: { protocol: azure, baseUrl: "https://n.openai.azure.com", auth: azure';
const VERTEX =
  'up: { protocol: gemini, baseUrl: "https://l-aiplatform.googleapis.com", project: p, location: l, auth: google';
const CLIENT = '11111111-2222-3333-4444-555555555555';

let certificate: Certificate;
let cloud: ScriptedUpstream;
let secure: ScriptedUpstream;
let home: string;
let variables: NodeJS.ProcessEnv;
beforeAll(() => {
  certificate = createCertificate();
  setDefaultCACertificates([...getCACertificates('default'), certificate.cert]);
});
beforeEach(async () => {
  cloud = await ScriptedUpstream.start();
  secure = await ScriptedUpstream.start({ tls: certificate });
  home = mkdtempSync(join(tmpdir(), 'gateway-home-'));
  variables = process.env;
  process.env = { PATH: variables.PATH, HOME: home };
});
afterEach(async () => {
  process.env = variables;
  rmSync(home, { recursive: true });
  await cloud.close();
  await secure.close();
});
afterAll(() => certificate.remove());

async function fileWith(name: string, text: string): Promise<string> {
  const path = join(home, name);
  await writeFile(path, text);
  return path;
}

/** The credential of the upstream with these keys, by the cloud's own library. */
async function grantOf(entry: string, env: Record<string, string>): Promise<CloudGrant> {
  const folder = await createWorkFolder({ 'upstreams.yaml': `${entry} }`, 'models.yaml': '[]' });
  const { upstreams } = loadSettings({ ...folder.variables, ...env }, PROVIDERS, folder.path);
  const credential = upstreams.get('up')?.credential;
  if (!(credential instanceof CloudIdentity)) throw new Error('the upstream has no identity');
  return await credential.request();
}

async function headersOf(grant: CloudGrant) {
  return grant.sign({
    method: 'POST',
    url: 'https://bedrock-runtime.eu-west-3.amazonaws.com/x',
    headers: {},
    body: '{}',
  });
}

/** Answers by the start of the path. */
function routes(server: ScriptedUpstream, answers: Record<string, (request: ReceivedRequest) => Script>): void {
  server.always((request) => {
    const [, answer] = Object.entries(answers).find(([start]) => request.path.startsWith(start)) ?? [];
    return answer ? answer(request) : json(404, { path: request.path });
  });
}

const keysOf = (id: string) => ({
  Code: 'Success',
  Type: 'AWS-HMAC',
  AccessKeyId: id,
  SecretAccessKey: 'secret',
  Token: `token-${id}`,
  Expiration: END.toISOString(),
});

/** STS, which answers in XML. */
function sts(action: string, id: string): Script {
  const keys = `<AccessKeyId>${id}</AccessKeyId><SecretAccessKey>secret</SecretAccessKey><SessionToken>token-${id}</SessionToken>`;
  const body =
    `<${action}Response xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><${action}Result>` +
    `<Credentials>${keys}<Expiration>${END.toISOString()}</Expiration></Credentials>` +
    `<AssumedRoleUser><Arn>arn:aws:sts::123456789012:assumed-role/gateway/s</Arn><AssumedRoleId>A:s</AssumedRoleId></AssumedRoleUser>` +
    `</${action}Result></${action}Response>`;
  return reply(200, { 'content-type': 'text/xml', 'content-length': String(Buffer.byteLength(body)) }, body);
}

const text = (body: string) =>
  reply(200, { 'content-type': 'text/plain', 'content-length': String(body.length) }, body);

async function expectAws(grant: CloudGrant, id: string, source: string) {
  const headers = await headersOf(grant);
  expect(headers.authorization).toContain(`Credential=${id}/`);
  expect(headers.authorization).toContain('/eu-west-3/bedrock/aws4_request');
  expect(headers['x-amz-security-token']).toBe(`token-${id}`);
  expect(grant).toMatchObject({ endsAt: END, source });
  expect(grant.secrets).toEqual(expect.arrayContaining(['secret', `token-${id}`]));
}

describe('a credential of AWS', () => {
  const shared = () => ({
    AWS_CONFIG_FILE: join(home, 'config'),
    AWS_SHARED_CREDENTIALS_FILE: join(home, 'credentials'),
    AWS_EC2_METADATA_SERVICE_ENDPOINT: cloud.url,
    AWS_ENDPOINT_URL_STS: cloud.url,
  });

  it.each([
    ['auth: aws', ', auth: aws'],
    ['a region and no key', ', region: eu-west-3'],
  ])('comes from instance metadata (IMDSv2) with %s', async (_name, keys) => {
    routes(cloud, {
      '/latest/api/token': () => text('imds-token'),
      '/latest/meta-data/iam/security-credentials/node': () => json(200, keysOf('ASIAIMDS')),
      '/latest/meta-data/iam/security-credentials/': () => text('node'),
    });
    await expectAws(await grantOf(BEDROCK + keys, shared()), 'ASIAIMDS', 'instance metadata');
    expect(cloud.requests[0]).toMatchObject({ method: 'PUT', path: '/latest/api/token' });
    expect(cloud.requests.at(-1)?.headers['x-aws-ec2-metadata-token']).toBe('imds-token');
  });

  it('comes from the metadata of an ECS container or an EKS pod', async () => {
    routes(cloud, { '/v1/credentials': () => json(200, keysOf('ASIAECS')) });
    const AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE = await fileWith('pod-token', 'pod-identity');
    const env = {
      ...shared(),
      AWS_CONTAINER_CREDENTIALS_FULL_URI: `${cloud.url}/v1/credentials`,
      AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE,
    };
    await expectAws(await grantOf(`${BEDROCK}, auth: aws`, env), 'ASIAECS', 'container metadata');
    expect(cloud.requests[0]?.headers.authorization).toBe('pod-identity');
  });

  it('comes from the web identity token of an EKS service account', async () => {
    cloud.always(() => sts('AssumeRoleWithWebIdentity', 'ASIAWEB'));
    const AWS_WEB_IDENTITY_TOKEN_FILE = await fileWith('web-token', 'projected');
    const env = { ...shared(), AWS_WEB_IDENTITY_TOKEN_FILE, AWS_ROLE_ARN: ROLE, AWS_ROLE_SESSION_NAME: 'pod' };
    await expectAws(await grantOf(`${BEDROCK}, auth: aws`, env), 'ASIAWEB', 'a web identity token');
    expect(Object.fromEntries(new URLSearchParams(cloud.requests[0]?.body))).toMatchObject({
      Action: 'AssumeRoleWithWebIdentity',
      RoleArn: ROLE,
      WebIdentityToken: 'projected',
    });
  });

  it('is of an assumed role, with its external id and session name', async () => {
    cloud.always(() => sts('AssumeRole', 'ASIAROLE'));
    const env = { ...shared(), AWS_ACCESS_KEY_ID: 'AKIDBASE', AWS_SECRET_ACCESS_KEY: 'base' };
    const grant = await grantOf(`${BEDROCK}, roleArn: "${ROLE}", externalId: ext-1, roleSessionName: gw`, env);
    await expectAws(grant, 'ASIAROLE', `the role ${ROLE}, assumed with the key pair of the environment`);
    const [request] = cloud.requests;
    expect(request?.headers.authorization).toMatch(/Credential=AKIDBASE\/\d+\/eu-west-3\/sts\//);
    expect(Object.fromEntries(new URLSearchParams(request?.body))).toMatchObject({
      Action: 'AssumeRole',
      RoleArn: ROLE,
      ExternalId: 'ext-1',
      RoleSessionName: 'gw',
    });
  });

  it('comes from a profile of the shared files', async () => {
    await fileWith('credentials', '[work]\naws_access_key_id = AKIDFILE\naws_secret_access_key = filed\n');
    const grant = await grantOf(`${BEDROCK}, auth: aws`, { ...shared(), AWS_PROFILE: 'work' });
    expect((await headersOf(grant)).authorization).toContain('Credential=AKIDFILE/');
    expect(grant).toMatchObject({ endsAt: null, source: 'the shared files' });
  });

  it('fails with the message of the cloud', async () => {
    const denied =
      '<ErrorResponse><Error><Type>Sender</Type><Code>AccessDenied</Code><Message>not authorized to perform: sts:AssumeRole</Message></Error></ErrorResponse>';
    cloud.always(() => reply(403, { 'content-type': 'text/xml', 'content-length': String(denied.length) }, denied));
    const env = { ...shared(), AWS_ACCESS_KEY_ID: 'AKIDBASE', AWS_SECRET_ACCESS_KEY: 'base' };
    await expect(grantOf(`${BEDROCK}, roleArn: "${ROLE}"`, env)).rejects.toThrow('not authorized to perform');
  });
});

async function expectBearer(grant: CloudGrant, token: string, source: string) {
  expect(await headersOf(grant)).toEqual({ authorization: `Bearer ${token}` });
  expect(grant).toMatchObject({ secrets: [token], source });
  const minutes = (Number(grant.endsAt) - Date.now()) / 60_000;
  expect(minutes).toBeGreaterThan(50);
  expect(minutes).toBeLessThan(61);
}

const inAnHour = () => Math.floor(Date.now() / 1000) + 3590;
const SCOPE = 'https://cognitiveservices.azure.com';

/** Entra's token endpoint, with the document that MSAL reads in place of discovering the authority. */
function entra(accessToken: string): void {
  secure.always(({ method, path }) => {
    if (method === 'POST') return json(200, { token_type: 'Bearer', expires_in: 3599, access_token: accessToken });
    const base = `${secure.url}/${path.split('/')[1]}`;
    return json(200, {
      issuer: `${base}/v2.0`,
      token_endpoint: `${base}/oauth2/v2.0/token`,
      authorization_endpoint: `${base}/oauth2/v2.0/authorize`,
      end_session_endpoint: `${base}/oauth2/v2.0/logout`,
      jwks_uri: `${base}/discovery/v2.0/keys`,
    });
  });
}

describe('a credential of Azure', () => {
  it('comes from the managed identity of an App Service, user-assigned by clientId', async () => {
    routes(cloud, {
      '/msi/token': () =>
        json(200, {
          access_token: 'app',
          expires_on: String(inAnHour()),
          resource: SCOPE,
          token_type: 'Bearer',
          client_id: CLIENT,
        }),
    });
    const env = { IDENTITY_ENDPOINT: `${cloud.url}/msi/token`, IDENTITY_HEADER: 'header-1' };
    await expectBearer(await grantOf(`${AZURE}, clientId: ${CLIENT}`, env), 'app', `managed identity ${CLIENT}`);
    const [request] = cloud.requests;
    const query = new URL(request?.path ?? '', cloud.url).searchParams;
    expect(Object.fromEntries(query)).toMatchObject({ resource: SCOPE, client_id: CLIENT });
    expect(request?.headers['x-identity-header']).toBe('header-1');
  });

  it('comes from the managed identity of a virtual machine (IMDS)', async () => {
    routes(cloud, {
      '/metadata/identity/oauth2/token': () =>
        json(200, { access_token: 'vm', expires_on: String(inAnHour()), resource: SCOPE, token_type: 'Bearer' }),
    });
    // The library decides once for a process which kind of machine it is on.
    const module = join(import.meta.dirname, '../../../../dist/upstreams/client/auth/cloud.grants.js');
    const variables = JSON.stringify({ AZURE_POD_IDENTITY_AUTHORITY_HOST: cloud.url });
    const code = `
      const { fetchAzureGrant } = await import(${JSON.stringify(module)});
      const grant = await fetchAzureGrant({ clientId: null, variables: ${variables} });
      console.log(JSON.stringify({ headers: grant.sign(), source: grant.source }));`;
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', code]);
    expect(JSON.parse(stdout)).toEqual({ headers: { authorization: 'Bearer vm' }, source: 'managed identity' });
    expect(cloud.requests[0]?.headers.metadata).toBe('true');
  });

  it("comes from Entra's token endpoint for workload identity, without discovery of another authority", async () => {
    entra('workload');
    const env = {
      AZURE_AUTHORITY_HOST: secure.url,
      AZURE_TENANT_ID: '99999999-2222-3333-4444-555555555555',
      AZURE_CLIENT_ID: CLIENT,
      AZURE_FEDERATED_TOKEN_FILE: await fileWith('federated', 'projected-token'),
    };
    await expectBearer(await grantOf(AZURE, env), 'workload', `workload identity ${CLIENT}`);
    const token = secure.requests.find(({ method }) => method === 'POST');
    expect(token?.path).toContain(`/${env.AZURE_TENANT_ID}/oauth2/v2.0/token`);
    expect(Object.fromEntries(new URLSearchParams(token?.body))).toMatchObject({
      client_assertion: 'projected-token',
      scope: expect.stringContaining(`${SCOPE}/.default`),
    });
    expect(secure.requests.map(({ path }) => path).join()).not.toContain('discovery/instance');
  });

  it('comes from the application of the environment', async () => {
    entra('application');
    const env = {
      AZURE_AUTHORITY_HOST: secure.url,
      AZURE_TENANT_ID: '88888888-2222-3333-4444-555555555555',
      AZURE_CLIENT_ID: CLIENT,
      AZURE_CLIENT_SECRET: 'app-secret',
    };
    const source = `the application of the environment ${CLIENT}`;
    await expectBearer(await grantOf(AZURE, env), 'application', source);
    const token = secure.requests.find(({ method }) => method === 'POST');
    expect(new URLSearchParams(token?.body).get('client_secret')).toBe('app-secret');
  });
});

describe('a credential of Google', () => {
  const federation = async () =>
    JSON.stringify({
      type: 'external_account',
      audience: '//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/pool/providers/k8s',
      subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
      token_url: `${cloud.url}/v1/token`,
      credential_source: { file: await fileWith('subject', 'projected-token') },
    });

  it('comes from the metadata server', async () => {
    routes(cloud, {
      '/computeMetadata/v1/instance/service-accounts/default/token': () =>
        json(
          200,
          { access_token: 'metadata', expires_in: 3590, token_type: 'Bearer' },
          { 'metadata-flavor': 'Google' },
        ),
      '/computeMetadata/v1/': () => reply(200, { 'metadata-flavor': 'Google', 'content-length': '1' }, 'x'),
    });
    const grant = await grantOf(VERTEX, {
      GCE_METADATA_HOST: new URL(cloud.url).host,
      METADATA_SERVER_DETECTION: 'assume-present',
    });
    await expectBearer(grant, 'metadata', 'the metadata server');
  });

  it.each(['UP_CREDENTIALS_FILE', 'GOOGLE_APPLICATION_CREDENTIALS'])(
    'comes from workload identity federation, with the file of %s',
    async (variable) => {
      cloud.always(() =>
        json(200, {
          access_token: 'federated',
          expires_in: 3590,
          token_type: 'Bearer',
          issued_token_type: 'urn:ietf:params:oauth:token-type:access_token',
        }),
      );
      const grant = await grantOf(VERTEX, { [variable]: await fileWith('external.json', await federation()) });
      await expectBearer(grant, 'federated', 'workload identity federation');
      expect(new URLSearchParams(cloud.requests[0]?.body).get('subject_token')).toBe('projected-token');
    },
  );

  it('is of an impersonated service account', async () => {
    const target = 'caller@p.iam.gserviceaccount.com';
    routes(cloud, {
      '/v1/token': () =>
        json(200, {
          access_token: 'own',
          expires_in: 3590,
          token_type: 'Bearer',
          issued_token_type: 'urn:ietf:params:oauth:token-type:access_token',
        }),
      [`/v1/projects/-/serviceAccounts/${target}:generateAccessToken`]: ({ headers }) =>
        headers.authorization === 'Bearer own'
          ? json(200, { accessToken: 'impersonated', expireTime: new Date(inAnHour() * 1000).toISOString() })
          : json(401, {}),
    });
    const env = {
      GOOGLE_APPLICATION_CREDENTIALS: await fileWith('external.json', await federation()),
      CLOUDSDK_API_ENDPOINT_OVERRIDES_IAMCREDENTIALS: cloud.url,
    };
    const grant = await grantOf(`${VERTEX}, impersonate: ${target}`, env);
    await expectBearer(grant, 'impersonated', `${target}, impersonated by workload identity federation`);
  });
});

/** Prints the packages that a module loads. */
const LOADED = `
  import { registerHooks } from 'node:module';
  const packages = new Set();
  const resolve = (specifier, context, next) => {
    const resolved = next(specifier, context);
    const [, name] = /node_modules\\/((?:@[^/]+\\/)?[^/]+)/.exec(resolved.url) ?? [];
    if (name) packages.add(name);
    return resolved;
  };
  registerHooks({ resolve });
  await import(process.argv[1]);
  console.log(JSON.stringify([...packages]));
  process.exit(0);`;

describe('the libraries of the clouds', () => {
  it('are not loaded by a gateway whose upstreams do not need them', () => {
    const dist = join(import.meta.dirname, '../../../../dist/app.module.js');
    const output = execFileSync(process.execPath, ['--input-type=module', '-e', LOADED, dist], { encoding: 'utf8' });
    const packages: string[] = JSON.parse(output);
    expect(packages).toContain('undici');
    expect(packages.filter((name) => /^@aws-sdk|^@azure|^google-auth-library|^gaxios/.test(name))).toEqual([]);
  });
});
