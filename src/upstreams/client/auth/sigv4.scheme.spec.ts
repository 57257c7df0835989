import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { type ConfigFiles, createWorkFolder } from '../../../../test/support/test-settings.js';
import { SettingsError } from '../../../config/config-file.js';
import { loadSettings } from '../../../config/settings.js';
import { PROVIDERS } from '../../providers/providers.js';

const PAIR = { AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE', AWS_SECRET_ACCESS_KEY: 'secret' };
const elsewhere = (baseUrl: string): ConfigFiles => ({
  'upstreams.yaml': `bedrock: { protocol: bedrock, baseUrl: "${baseUrl}" }`,
  'models.yaml': '[]',
});

async function bedrock(variables: Record<string, string>, files: ConfigFiles = {}, secrets: ConfigFiles = {}) {
  const folder = await createWorkFolder(files);
  for (const [name, text] of Object.entries(secrets)) await writeFile(join(folder.path, name), text);
  const here = Object.entries(variables).map(([name, value]) => [name, value.replace('{folder}', folder.path)]);
  return loadSettings(Object.fromEntries(here), PROVIDERS, folder.path).upstreams.get('bedrock');
}

async function faultsOf(variables: Record<string, string>, files: ConfigFiles = {}): Promise<string[]> {
  try {
    await bedrock(variables, files);
    return [];
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    return error.faults.map(({ key, problem }) => `${key} ${problem}`);
  }
}

describe("AWS's variables", () => {
  it('give Bedrock no credential if none is set', async () => {
    expect(await bedrock({})).toMatchObject({
      apiKey: null,
      credential: null,
      baseUrl: 'https://bedrock-runtime.us-east-1.amazonaws.com',
    });
  });

  it('give it an API key, from the environment or a file', async () => {
    expect(await bedrock({ AWS_BEARER_TOKEN_BEDROCK: 'key' })).toMatchObject({ apiKey: 'key', credential: null });
    const fromFile = bedrock({ AWS_BEARER_TOKEN_BEDROCK_FILE: '{folder}/key' }, {}, { key: 'filed\n' });
    expect(await fromFile).toMatchObject({ apiKey: 'filed' });
  });

  it('give it a key pair for the region of its base URL, with a token if it is temporary', async () => {
    const credential = {
      accessKeyId: 'AKIDEXAMPLE',
      secretAccessKey: 'secret',
      sessionToken: null,
      region: 'us-east-1',
    };
    expect(await bedrock(PAIR)).toMatchObject({ apiKey: null, credential });
    const temporary = await bedrock(
      {
        AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE',
        AWS_SECRET_ACCESS_KEY_FILE: '{folder}/secret',
        AWS_SESSION_TOKEN_FILE: '{folder}/token',
      },
      {},
      { secret: 'secret', token: 'token' },
    );
    expect(temporary).toMatchObject({ credential: { ...credential, sessionToken: 'token' } });
  });

  it.each([
    ['https://bedrock-runtime.us-east-1.amazonaws.com', 'https://bedrock-runtime.eu-west-3.amazonaws.com'],
    ['https://bedrock-runtime-fips.us-east-1.amazonaws.com', 'https://bedrock-runtime-fips.eu-west-3.amazonaws.com'],
    [
      'https://vpce-1.bedrock-runtime.us-east-1.vpce.amazonaws.com',
      'https://vpce-1.bedrock-runtime.eu-west-3.vpce.amazonaws.com',
    ],
    ['http://proxy.internal:8080/bedrock', 'http://proxy.internal:8080/bedrock'],
  ])('change %s of the file to AWS_REGION', async (given, expected) => {
    expect(await bedrock({ ...PAIR, AWS_REGION: 'eu-west-3' }, elsewhere(given))).toMatchObject({
      baseUrl: expected,
      credential: { region: 'eu-west-3' },
    });
  });

  it('do not change a base URL from the environment, and sign for its region', async () => {
    const own = 'https://bedrock-runtime.ap-south-1.amazonaws.com';
    expect(await bedrock({ ...PAIR, AWS_REGION: 'eu-west-3', BEDROCK_BASE_URL: own })).toMatchObject({
      baseUrl: own,
      credential: { region: 'ap-south-1' },
    });
    const local = { ...PAIR, AWS_REGION: 'eu-west-3', BEDROCK_BASE_URL: 'http://127.0.0.1:9000' };
    expect(await bedrock(local)).toMatchObject({ credential: { region: 'eu-west-3' } });
  });

  it('are reported if half of a pair, the region or visible characters are missing', async () => {
    const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY } = PAIR;
    expect(await faultsOf({ AWS_ACCESS_KEY_ID })).toEqual([
      'AWS_SECRET_ACCESS_KEY must be set together with AWS_ACCESS_KEY_ID',
    ]);
    expect(await faultsOf({ AWS_SECRET_ACCESS_KEY })).toEqual([
      'AWS_ACCESS_KEY_ID must be set together with AWS_SECRET_ACCESS_KEY',
    ]);
    expect(await faultsOf({ ...PAIR, BEDROCK_BASE_URL: 'http://127.0.0.1:9000' })).toEqual([
      'AWS_REGION must be set, because the base URL of the upstream has no region',
    ]);
    expect(await faultsOf({ AWS_REGION: 'Frankfurt' })).toEqual([
      "AWS_REGION must be the name of a region, for example 'us-east-1'",
    ]);
    expect(await faultsOf({ AWS_BEARER_TOKEN_BEDROCK: 'two words' })).toEqual([
      'AWS_BEARER_TOKEN_BEDROCK must consist of visible ASCII characters without a space or line break',
    ]);
  });

  it('are ignored if no upstream uses Bedrock', async () => {
    const files = { 'upstreams.yaml': 'openai: { protocol: openai, baseUrl: "http://x" }', 'models.yaml': '[]' };
    expect(await faultsOf({ AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE', AWS_REGION: 'Frankfurt' }, files)).toEqual([]);
  });
});
