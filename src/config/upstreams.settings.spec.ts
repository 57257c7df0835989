import { describe, expect, it } from '@jest/globals';
import { createWorkFolder } from '../../test/support/test-settings.js';
import { SettingsError } from './config-file.js';
import { loadSettings } from './settings.js';
import type { UpstreamProtocol } from './upstream-protocol.js';

const PROTOCOLS: UpstreamProtocol[] = [
  { protocol: 'plain', auth: { kind: 'bearer', usesApiKeys: true } },
  {
    protocol: 'placed',
    auth: { kind: 'header', header: 'x-key', usesApiKeys: true },
    namedAuths: Object.fromEntries(['google', 'aws', 'azure'].map((kind) => [kind, { kind, usesApiKeys: false }])),
    entryKeys: { place: { requiredWith: 'google' }, fast: { isFlag: true } },
  },
];

async function upstream(entry: string, variables: Record<string, string> = {}) {
  const yaml = `one: { baseUrl: "https://api.example.com", ${entry} }`;
  const folder = await createWorkFolder({ 'upstreams.yaml': yaml, 'models.yaml': '[]' });
  return loadSettings({ ...folder.variables, ...variables }, PROTOCOLS, folder.path).upstreams.get('one');
}

async function faultsOf(entry: string, variables: Record<string, string> = {}): Promise<string[]> {
  const error = await upstream(entry, variables).catch((reason: unknown) => reason);
  if (!(error instanceof SettingsError)) throw error;
  return error.faults.map(({ key, problem }) => `${key} ${problem}`);
}

describe('the keys of an upstream', () => {
  const keysOf = async (variables: Record<string, string>, fields = '') => {
    const found = await upstream(`protocol: plain${fields}`, variables);
    return found && { first: found.apiKey, all: found.byKey.map(({ keyName, apiKey }) => [keyName, apiKey]) };
  };

  it('are the unnumbered one and the numbered ones that are set', async () => {
    expect(await keysOf({ ONE_API_KEY: 'a' })).toEqual({ first: 'a', all: [] });
    expect(await keysOf({ ONE_API_KEY_3: 'c' })).toEqual({ first: 'c', all: [] });
    expect(await keysOf({ ONE_API_KEY_10: 'x', ONE_API_KEY: 'a', ONE_API_KEY_3: 'c', ONE_API_KEY_2: '' })).toEqual({
      first: 'a',
      all: [
        ['1', 'a'],
        ['3', 'c'],
        ['10', 'x'],
      ],
    });
    expect(await keysOf({ ONE_API_KEY: 'a', ONE_API_KEY_1: 'b', ONE_API_KEY_33: 'c', ONE_API_KEY_x: 'd' })).toEqual({
      first: 'a',
      all: [],
    });
  });

  it('are those that its entry names, each in its own variable', async () => {
    const set = { ONE_API_KEY: 'x', ONE_API_KEY_2: 'y', ONE_API_KEY_RESERVED: 'r', ONE_API_KEY_TEAM_B: 't' };
    const found = await upstream('protocol: plain, keys: [reserved, team-b, none-yet]', set);
    expect(found?.byKey.map(({ keyName, apiKey }) => [keyName, apiKey])).toEqual([
      ['reserved', 'r'],
      ['team-b', 't'],
    ]);
    expect(found?.keyVariables).toEqual(['ONE_API_KEY_RESERVED', 'ONE_API_KEY_TEAM_B', 'ONE_API_KEY_NONE_YET']);
  });

  it('are different keys with different names', async () => {
    expect(await faultsOf('protocol: plain', { ONE_API_KEY: 'a', ONE_API_KEY_2: 'a' })).toEqual([
      'ONE_API_KEY_2 holds the same key as ONE_API_KEY; set each key once',
    ]);
    expect(await faultsOf('protocol: plain, keys: [a, a]')).toEqual(['one.keys names a key twice']);
    expect(await faultsOf('protocol: plain, keys: [A]')).toEqual([
      'one.keys[0] must be a name in lower case with digits and dashes',
    ]);
    expect(await faultsOf('protocol: plain, auth: none, keys: [a]')).toEqual([
      'one.keys cannot be combined with auth: none',
    ]);
  });
});

describe('an entry of upstreams.yaml', () => {
  it('has one of the gateway’s protocols', async () => {
    expect(await faultsOf('protocol: openai')).toEqual(['one.protocol must be one of plain, placed']);
  });

  it("uses its protocol's authentication, or its own", async () => {
    expect((await upstream('protocol: placed'))?.scheme).toMatchObject({ kind: 'header', header: 'x-key' });
    expect((await upstream('protocol: placed, auth: none'))?.scheme).toMatchObject({ kind: 'none' });
  });

  it('has the additional keys of the protocols that are set, and no others', async () => {
    expect((await upstream('protocol: placed, place: north'))?.settings).toEqual({ place: 'north' });
    expect((await upstream('protocol: placed, place: ""'))?.settings).toEqual({});
    expect(await faultsOf('protocol: placed, plaice: north')).toEqual(['one.plaice is not a known key']);
  });

  it('has the flags that are true', async () => {
    expect((await upstream('protocol: placed, fast: true'))?.settings).toEqual({ fast: 'true' });
    expect((await upstream('protocol: placed, fast: false'))?.settings).toEqual({});
    expect(await faultsOf('protocol: placed, fast: "yes"')).toEqual([expect.stringMatching(/^one\.fast /)]);
  });

  it('has the keys that its protocol requires', async () => {
    expect(await faultsOf('protocol: placed, auth: google')).toEqual(['one.place is required with auth: google']);
    expect(await upstream('protocol: plain, auth: google')).toMatchObject({ scheme: { kind: 'google' } });
  });
});

describe("the keys of an upstream's identity at a cloud", () => {
  const ROLE = 'arn:aws:iam::123456789012:role/gateway';

  it.each([
    [`protocol: placed, roleArn: "${ROLE}"`, 'one.roleArn is only used with auth: aws'],
    ['protocol: plain, auth: aws, roleArn: gateway', 'one.roleArn must be the ARN of a role'],
    ['protocol: plain, auth: aws, externalId: ext', 'one.externalId has no effect without roleArn'],
    ['protocol: plain, auth: aws, region: Paris', 'one.region must be the name of a region'],
    ['protocol: plain, auth: google, clientId: 11111111-2222-3333-4444-555555555555', 'one.clientId is only used with'],
    ['protocol: plain, auth: azure, clientId: me', 'one.clientId must be the client id of an identity, a UUID'],
    ['protocol: plain, auth: google, impersonate: me', 'one.impersonate must be the address of a service account'],
  ])('have clear errors: %s', async (entry, fault) => {
    expect(await faultsOf(entry)).toEqual([expect.stringContaining(fault)]);
  });

  it('are accepted with the `auth:` that uses them', async () => {
    const entry = `protocol: plain, auth: aws, region: eu-west-3, roleArn: "${ROLE}", externalId: a-1, roleSessionName: gw`;
    expect((await upstream(entry))?.settings).toMatchObject({ region: 'eu-west-3', externalId: 'a-1' });
  });
});
