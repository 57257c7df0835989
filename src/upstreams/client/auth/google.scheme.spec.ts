import { generateKeyPairSync } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { createWorkFolder } from '../../../../test/support/test-settings.js';
import { SettingsError } from '../../../config/config-file.js';
import { loadSettings } from '../../../config/settings.js';
import type { UpstreamSettings } from '../../../config/upstreams.settings.js';
import { PROVIDERS } from '../../providers/providers.js';

const VERTEX =
  'vertex: { protocol: gemini, baseUrl: "https://l-aiplatform.googleapis.com", project: p, location: l, auth: google }';
const rsa = pem(generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey);

function pem(key: { export(options: { type: 'pkcs8'; format: 'pem' }): string | Buffer }): string {
  return key.export({ type: 'pkcs8', format: 'pem' }).toString();
}

function keyFile(fields: Record<string, unknown> = {}): string {
  return JSON.stringify({
    type: 'service_account',
    project_id: 'p',
    private_key_id: 'key-1',
    private_key: rsa,
    client_email: 'gateway@p.iam.gserviceaccount.com',
    token_uri: 'https://oauth2.googleapis.com/token',
    universe_domain: 'googleapis.com',
    ...fields,
  });
}

/** The upstream with these variables; `{file}` is replaced by the path of a file with this text. */
async function vertex(variables: Record<string, string>, text = keyFile(), yaml = VERTEX): Promise<UpstreamSettings> {
  const folder = await createWorkFolder({ 'upstreams.yaml': yaml, 'models.yaml': '[]' });
  const file = join(folder.path, 'account.json');
  await writeFile(file, text);
  const given = Object.entries(variables).map(([name, value]) => [name, value.replace('{file}', file)] as const);
  const { upstreams } = loadSettings({ ...folder.variables, ...Object.fromEntries(given) }, PROVIDERS, folder.path);
  return upstreams.get('vertex') as UpstreamSettings;
}

async function faultOf(...given: Parameters<typeof vertex>): Promise<string> {
  const error = await vertex(...given).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(SettingsError);
  return (error as SettingsError).message;
}

describe('the service account of an upstream with `auth: google`', () => {
  it.each([
    ["Google's own variable", { GOOGLE_APPLICATION_CREDENTIALS: '{file}' }],
    ['a file of the upstream', { VERTEX_CREDENTIALS_FILE: '{file}' }],
    ['a variable of the upstream', { VERTEX_CREDENTIALS: keyFile() }],
  ])('is read from %s', async (_way, variables) => {
    expect((await vertex(variables)).credential).toMatchObject({
      clientEmail: 'gateway@p.iam.gserviceaccount.com',
      privateKeyId: 'key-1',
      tokenUri: 'https://oauth2.googleapis.com/token',
      privateKey: { type: 'private', asymmetricKeyType: 'rsa' },
    });
  });

  it("prefers the upstream's own account to the common one", async () => {
    const own = keyFile({ client_email: 'own@p.iam.gserviceaccount.com' });
    const { credential } = await vertex({ VERTEX_CREDENTIALS: own, GOOGLE_APPLICATION_CREDENTIALS: '{file}' });
    expect(credential).toMatchObject({ clientEmail: 'own@p.iam.gserviceaccount.com' });
  });

  it('is that of the application default credentials if none is set, and is only read if needed', async () => {
    expect((await vertex({})).credential).toMatchObject({ kind: 'google', options: { file: null } });
    const byKey = VERTEX.replace(', auth: google', '');
    expect((await vertex({ GOOGLE_APPLICATION_CREDENTIALS: '/nowhere' }, '', byKey)).credential).toBeNull();
  });

  it.each([
    ['a text that is not JSON', 'hunter2', 'is not the JSON key of a Google service account'],
    [
      'an account of another kind',
      keyFile({ type: 'gdch_service_account' }),
      'is not the JSON key of a Google service',
    ],
    ['an invalid key', keyFile({ private_key: 'hunter2' }), 'contains no RSA private key'],
    [
      'a key of another kind',
      keyFile({ private_key: pem(generateKeyPairSync('ed25519').privateKey) }),
      'contains no RSA',
    ],
  ])('cannot be %s', async (_what, text, problem) => {
    const fault = await faultOf({ GOOGLE_APPLICATION_CREDENTIALS: '{file}' }, text);
    expect(fault).toContain(`environment: GOOGLE_APPLICATION_CREDENTIALS ${problem}`);
    expect(fault).not.toContain('hunter2');
  });

  it('must be in an existing file', async () => {
    expect(await faultOf({ GOOGLE_APPLICATION_CREDENTIALS: '/nowhere/key' })).toContain('cannot be read (ENOENT)');
  });

  it('requires a project and its location', async () => {
    const yaml = 'vertex: { protocol: gemini, baseUrl: "https://l-aiplatform.googleapis.com", auth: google }';
    const fault = await faultOf({}, '', yaml);
    expect(fault).toContain('vertex.project is required with auth: google');
    expect(fault).toContain('vertex.location is required with auth: google');
  });
});
