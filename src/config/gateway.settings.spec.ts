import { describe, expect, it } from '@jest/globals';
import { createWorkFolder } from '../../test/support/test-settings.js';
import { PROVIDERS } from '../upstreams/providers/providers.js';
import { SettingsError } from './config-file.js';
import { loadSettings, type Settings } from './settings.js';

const APP_URL = 'https://gateway.example.com';
const SHORTEST = 'issuer: "https://login.example.com", clientId: gateway';

function load(oidc: string, variables: Record<string, string> = { APP_URL }): Promise<Settings> {
  return loadFile(`signIn: { oidc: ${oidc} }`, variables);
}

async function loadFile(yaml: string, variables: Record<string, string> = {}): Promise<Settings> {
  const folder = await createWorkFolder({ 'gateway.yaml': yaml });
  return loadSettings({ ...folder.variables, ...variables }, PROVIDERS, folder.path);
}

describe('signIn.oidc', () => {
  it('is off by default', async () => {
    expect((await load('null', {})).signIn.oidc).toBeNull();
  });

  it('requires issuer and client, and has defaults for the rest', async () => {
    const { signIn, oidcClientSecret } = await load(`{ ${SHORTEST} }`);
    expect(signIn.oidc).toEqual({
      issuer: 'https://login.example.com',
      clientId: 'gateway',
      label: 'Single sign-on',
      scopes: ['openid', 'email', 'profile'],
      groupsClaim: 'groups',
      adminGroups: [],
      memberGroups: null,
      plans: {},
      projects: {},
      planLifetime: null,
      requireVerifiedEmail: true,
    });
    expect(oidcClientSecret).toBeNull();
  });

  it('reads the client’s secret only from the environment', async () => {
    const variables = { APP_URL, OIDC_CLIENT_SECRET: 'hunter2' };
    expect((await load(`{ ${SHORTEST} }`, variables)).oidcClientSecret).toBe('hunter2');
    await expect(load(`{ ${SHORTEST}, clientSecret: hunter2 }`)).rejects.toThrow(
      /oidc\.clientSecret is not a known key$/,
    );
  });

  it('requires APP_URL, the redirect address of the provider', async () => {
    await expect(load(`{ ${SHORTEST} }`, {})).rejects.toThrow(/^environment: APP_URL is required by signIn\.oidc/);
  });

  it.each(['http://localhost:9000', 'http://127.0.0.1:9000/realm', 'http://[::1]:9000', 'https://x.example/t/v2.0'])(
    'accepts the issuer %s',
    async (issuer) => {
      expect((await load(`{ issuer: "${issuer}", clientId: gateway }`)).signIn.oidc?.issuer).toBe(issuer);
    },
  );

  it.each(['http://login.example.com', 'login.example.com', 'https://x.example/?a=b', 'https://me@x.example'])(
    'refuses the issuer %s',
    async (issuer) => {
      await expect(load(`{ issuer: "${issuer}", clientId: gateway }`)).rejects.toThrow(
        /oidc\.issuer must be an https URL/,
      );
    },
  );

  it('names other mistakes', async () => {
    const wrong = 'scopes: [email, "two words"], adminGroups: admins, plans: { staff: "" }, planLifetime: 5, label: ""';
    const { message } = (await load(`{ ${SHORTEST}, ${wrong} }`).catch((error: unknown) => error)) as Error;
    const faults = message.split('\n').map((line) => line.replace(/^.*signIn\.oidc\./, ''));
    expect(faults.sort()).toEqual([
      'adminGroups must be a list, not a string',
      'label must not be empty',
      'planLifetime must be a duration such as 90d or 12h',
      'plans.staff must not be empty',
      'scopes must contain openid',
      'scopes[1] must be a scope, without spaces',
    ]);
  });
});

describe('auth.issuers', () => {
  const entry = (rest: string) => `auth: { issuers: [{ issuer: "https://login.example.com", ${rest} }] }`;

  it.each([
    ['auth: { issuers: [{ audience: [a] }] }', 'auth.issuers[0].issuer is required'],
    [
      'auth: { issuers: [{ issuer: "http://login.example.com", audience: [a] }] }',
      'auth.issuers[0].issuer must be an https URL',
    ],
    [entry('audience: []'), 'auth.issuers[0].audience must name at least one audience'],
    [entry('audience: [a], jwksUri: "http://10.0.0.1/keys"'), 'auth.issuers[0].jwksUri must be an https URL'],
    [entry('audience: [a], create: maybe'), 'auth.issuers[0].create must be'],
    [entry('audience: [a], require: { groups: [] }'), 'auth.issuers[0].require.groups must name at least one value'],
    [entry('audience: [a], project: [x]'), 'auth.issuers[0].project must be the name of a project, or { claim: NAME }'],
    [entry('audience: [a], subjects: { s: crawler }'), "auth.issuers[0].subjects.s must be a project's name and"],
    [entry('audience: [a], algorithms: [none]'), 'auth.issuers[0].algorithms is not a known key'],
    [
      'auth: { issuers: [{ issuer: "https://a.example", audience: [a] }, { issuer: "https://a.example", audience: [b] }] }',
      'auth.issuers[1].issuer is the issuer of an earlier entry',
    ],
  ])('has clear errors with their path: %s', async (yaml, fault) => {
    const error = await loadFile(yaml).catch((reason: unknown) => reason);
    if (!(error instanceof SettingsError)) throw error;
    const faults = error.faults.map(({ key, problem }) => `${key} ${problem}`);
    expect(faults).toEqual([expect.stringContaining(fault)]);
  });
});
