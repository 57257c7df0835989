import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { createWorkFolder } from '../../test/support/test-settings.js';
import { PROVIDERS } from '../upstreams/providers/providers.js';
import type { Fault } from './config-file.js';
import { Environment } from './environment.js';
import { readStripe } from './environment.settings.js';
import { loadSettings, type Settings } from './settings.js';

const CONTENT_LOG_KEY = Buffer.alloc(32).toString('base64');

async function load(responses: string, variables: Record<string, string> = {}): Promise<Settings> {
  const folder = await createWorkFolder({ 'gateway.yaml': `responses: ${responses}` });
  return loadSettings({ ...folder.variables, ...variables }, PROVIDERS, folder.path);
}

describe('responses.remember', () => {
  it.each(['', '{ remember: off }', '{ remember: false }'])('is off: %s', async (responses) => {
    expect((await load(responses)).responses).toEqual({ remember: null, maxPerOwner: 256 * 1024 ** 2 });
  });

  it('is a time, with a key for the encryption', async () => {
    expect((await load('{ remember: 30d }', { CONTENT_LOG_KEY })).responses.remember).toBe(30 * 24 * 3_600_000);
  });

  it('requires CONTENT_LOG_KEY', async () => {
    await expect(load('{ remember: 30d }')).rejects.toThrow(
      /^environment: CONTENT_LOG_KEY is required by responses\.remember: it encrypts the stored responses$/,
    );
  });

  it('reports an invalid CONTENT_LOG_KEY once', async () => {
    const error = await load('{ remember: 30d }', { CONTENT_LOG_KEY: 'short' }).catch((fault: Error) => fault.message);
    expect(error).toMatch(/^environment: CONTENT_LOG_KEY must be 32 random bytes in base64[^\n]*$/);
  });
});

const EMAIL = 'ada@example.com';
const PASSWORD = 'correct horse battery';

describe('the first administrator of the environment', () => {
  let folder: Awaited<ReturnType<typeof createWorkFolder>>;
  const load = (variables: Record<string, string>) =>
    loadSettings({ ...folder.variables, ...variables }, PROVIDERS, folder.path).firstAdmin;
  beforeAll(async () => {
    folder = await createWorkFolder();
  });

  it('has an address, and a password in a file', async () => {
    const file = join(folder.path, 'password');
    await writeFile(file, `${PASSWORD}\n`);
    expect(load({ ADMIN_EMAIL: EMAIL, ADMIN_PASSWORD_FILE: file })).toEqual({ email: EMAIL, password: PASSWORD });
    expect(load({})).toBeNull();
  });

  it.each([
    [{ ADMIN_EMAIL: EMAIL }, 'environment: ADMIN_PASSWORD_FILE is required by ADMIN_EMAIL'],
    [{ ADMIN_PASSWORD: PASSWORD }, 'environment: ADMIN_EMAIL is required by ADMIN_PASSWORD'],
    [{ ADMIN_EMAIL: 'ada', ADMIN_PASSWORD: PASSWORD }, 'environment: ADMIN_EMAIL must be an e-mail address'],
    [{ ADMIN_EMAIL: EMAIL, ADMIN_PASSWORD: 'short' }, 'environment: ADMIN_PASSWORD must have 12 to 1024 characters'],
  ])('is refused: %j', (variables, fault) => {
    expect(() => load(variables)).toThrow(fault);
  });
});

const KEYS = { STRIPE_SECRET_KEY: 'sk_test', STRIPE_WEBHOOK_SECRET: 'whsec_test' };
const PRICES = { pro: 'price_1' };

function read(variables: Record<string, string>, prices: Record<string, string> = PRICES) {
  const faults: Fault[] = [];
  const stripe = readStripe(new Environment(variables, '/nowhere', faults), prices);
  return { stripe, faults: faults.map(({ key }) => key) };
}

describe('the settings of Stripe', () => {
  it('are all set, or none', () => {
    expect(read({}, {})).toEqual({ stripe: null, faults: [] });
    expect(read(KEYS)).toEqual({
      stripe: {
        secretKey: 'sk_test',
        webhookSecret: 'whsec_test',
        baseUrl: null,
        prices: new Map([['pro', 'price_1']]),
      },
      faults: [],
    });
  });

  it.each([
    ['no secret key', { STRIPE_WEBHOOK_SECRET: 'whsec_test' }, PRICES, ['STRIPE_SECRET_KEY']],
    ['no webhook secret', { STRIPE_SECRET_KEY: 'sk_test' }, PRICES, ['STRIPE_WEBHOOK_SECRET']],
    ['an empty webhook secret', { ...KEYS, STRIPE_WEBHOOK_SECRET: '' }, PRICES, ['STRIPE_WEBHOOK_SECRET']],
    ['prices alone', {}, PRICES, ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET']],
    ['no price', KEYS, {}, ['STRIPE_SECRET_KEY']],
    ['one price for two plans', KEYS, { pro: 'price_1', team: 'price_1' }, ['STRIPE_SECRET_KEY']],
    ['a base URL with a path', { ...KEYS, STRIPE_BASE_URL: 'https://stripe.example/v1' }, PRICES, ['STRIPE_BASE_URL']],
  ])('are refused with %s', (_what, variables, prices, faults) => {
    expect(read(variables, prices as Record<string, string>).faults).toEqual(faults);
  });
});
