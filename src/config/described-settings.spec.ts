import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { type ConfigFiles, createWorkFolder } from '../../test/support/test-settings.js';
import { PROVIDERS } from '../upstreams/providers/providers.js';
import { type DescribedSetting, describeSettings, gatewayKeys, variableNames } from './described-settings.js';
import { KEY_DESCRIPTIONS } from './descriptions.js';
import { loadSettings } from './settings.js';

const SHIPPED = readFileSync(resolve(import.meta.dirname, '../../config/gateway.yaml'), 'utf8');
const OIDC = { signIn: { oidc: {} } };

interface Given {
  variables?: Record<string, string>;
  config?: ConfigFiles;
  /** Other files of the folder. */
  files?: Record<string, string>;
}

async function described({ variables = {}, config = {}, files = {} }: Given = {}) {
  const folder = await createWorkFolder(config);
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder.path, name), text);
  const here = Object.entries(variables).map(([name, value]) => [name, value.replace('{folder}', folder.path)]);
  const settings = loadSettings(Object.fromEntries(here), PROVIDERS, folder.path);
  const groups = describeSettings(settings);
  const all = new Map(groups.flatMap(({ settings: list }) => list).map((setting) => [setting.name, setting]));
  return { settings, groups, find: (name: string): DescribedSetting | undefined => all.get(name), all };
}

/** The comments of the shipped file, by key. */
function comments(): Map<string, string> {
  const found = new Map<string, string>();
  let section = '';
  for (const line of SHIPPED.split('\n')) {
    section = /^(\w+):/.exec(line)?.[1] ?? section;
    const [, indent, key, comment] = /^( *)# (\w+): .*? {1,}# (.*)$/.exec(line) ?? [];
    if (key !== undefined && comment !== undefined) found.set(indent ? `${section}.${key}` : key, comment);
  }
  return found;
}

describe('the described settings', () => {
  it('include every key of gateway.yaml and every variable that is read', async () => {
    const { settings, all } = await described();
    expect([...all.keys()].sort()).toEqual([...gatewayKeys({}), ...variableNames(settings)].sort());
    expect(gatewayKeys({})).toEqual(expect.arrayContaining(['server.bodyLimit', 'unsupported', 'usage.retention']));
    expect(variableNames(settings)).toEqual(expect.arrayContaining(['PORT', 'DATABASE_URL', 'OPENAI_API_KEY']));
  });

  it('have the descriptions of the comments in the shipped file', async () => {
    const { all } = await described();
    expect([...all.values()].filter(({ description }) => description === '')).toEqual([]);
    expect(gatewayKeys(OIDC).filter((key) => !KEY_DESCRIPTIONS[key])).toEqual([]);
    const commented = comments();
    expect([...commented.keys()].sort()).toEqual(gatewayKeys({}).sort());
    for (const [key, comment] of commented) expect(comment).toContain(KEY_DESCRIPTIONS[key]);
  });

  it('have defaults in the format of the file', async () => {
    const { find } = await described();
    expect(find('server.bodyLimit')).toMatchObject({ value: '32mb', source: 'default' });
    expect(find('retry.attempts')).toMatchObject({ value: '3', source: 'default' });
    expect(find('server.trustProxy')).toMatchObject({ value: null, source: 'default' });
    expect(find('signIn.local')).toMatchObject({ value: 'true', source: 'default' });
    expect(find('PORT')).toMatchObject({ value: '8080', source: 'default', setBy: 'PORT' });
  });

  it('have the values of the file, in its format', async () => {
    const { find, settings } = await described({
      config: { 'gateway.yaml': 'retry: { maxRetryAfter: 5s }\nserver: { trustProxy: [10.0.0.0/8, 127.0.0.1] }' },
    });
    const setBy = join(settings.configDir, 'gateway.yaml');
    expect(find('retry.maxRetryAfter')).toMatchObject({ value: '5s', source: 'file', setBy });
    expect(find('server.trustProxy')).toMatchObject({ value: '10.0.0.0/8, 127.0.0.1', source: 'file' });
  });

  it('distinguish variables of `.env` and of the process, which override the file', async () => {
    const { find } = await described({
      variables: { PORT: '9000', CONFIG_DIR: 'config' },
      files: { '.env': 'PORT=1\nHOST=0.0.0.0\nSIMULATOR=off' },
      config: { 'gateway.yaml': 'simulator: { mode: on }' },
    });
    expect(find('PORT')).toMatchObject({ value: '9000', source: 'environment' });
    expect(find('HOST')).toMatchObject({ value: '0.0.0.0', source: '.env' });
    expect(find('simulator.mode')).toMatchObject({ value: 'off', source: '.env', setBy: 'SIMULATOR' });
  });

  it('include the keys of single sign-on once it is configured', async () => {
    const { find } = await described({
      variables: { APP_URL: 'https://gw.example.com' },
      config: { 'gateway.yaml': 'signIn: { oidc: { issuer: "https://id.example.com", clientId: gateway } }' },
    });
    expect(find('signIn.oidc.issuer')).toMatchObject({ value: 'https://id.example.com', source: 'file' });
    expect(find('signIn.oidc.groupsClaim')).toMatchObject({ value: 'groups', source: 'default' });
    expect(find('signIn.oidc')).toBeUndefined();
  });

  it('never contain a secret: neither a key, nor a password in an address', async () => {
    const secret = 'hush-4f1d9c';
    const { groups, find } = await described({
      variables: {
        OPENAI_API_KEY: secret,
        OPENAI_BASE_URL: 'http://proxy.internal:8080/v1',
        DATABASE_URL: `postgres://gateway:${secret}@db.internal:5432/gateway?password=${secret}`,
        HTTPS_PROXY: `http://me:${secret}@proxy:3128`,
        AWS_BEARER_TOKEN_BEDROCK: secret,
        OIDC_CLIENT_SECRET: secret,
        GROQ_API_KEY_FILE: '{folder}/groq.key',
      },
      files: { 'groq.key': secret },
    });
    expect(JSON.stringify(groups)).not.toContain(secret);
    expect(find('OPENAI_API_KEY')).toMatchObject({ value: null, secret: 'set', source: 'environment' });
    expect(find('GROQ_API_KEY')).toMatchObject({ value: null, secret: 'set', setBy: 'GROQ_API_KEY_FILE' });
    expect(find('MISTRAL_API_KEY')).toMatchObject({ value: null, secret: 'not set', source: 'default' });
    expect(find('DATABASE_URL')).toMatchObject({ value: 'postgres://…@db.internal:5432/gateway?…', secret: null });
    expect(find('OPENAI_BASE_URL')).toMatchObject({ value: 'http://proxy.internal:8080/v1' });
  });
});
