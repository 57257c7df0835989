import { describe, expect, it } from '@jest/globals';
import { Environment } from './environment.js';
import type { Fault } from './settings.error.js';
import { readStripe } from './stripe.settings.js';

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
