import { describe, expect, it } from '@jest/globals';
import { createWorkFolder } from '../../test/support/test-settings.js';
import { PROVIDERS } from '../upstreams/providers/providers.js';
import { loadSettings, type Settings } from './settings.js';

const APP_URL = 'https://gateway.example.com';
const SHORTEST = 'issuer: "https://login.example.com", clientId: gateway';

async function load(oidc: string, variables: Record<string, string> = { APP_URL }): Promise<Settings> {
  const folder = await createWorkFolder({ 'gateway.yaml': `signIn: { oidc: ${oidc} }` });
  try {
    return loadSettings({ ...folder.variables, ...variables }, PROVIDERS, folder.path);
  } finally {
    await folder.remove();
  }
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
