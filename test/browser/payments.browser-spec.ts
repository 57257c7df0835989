import { afterEach, describe, expect, it } from '@jest/globals';
import { ScriptedStripe, toSubscription, WEBHOOK_SECRET } from '../support/scripted-stripe.js';
import { ConsoleBrowser } from './support/console-browser.js';

const DAY_S = 86_400;

const stripe = await ScriptedStripe.start();
const keys = { STRIPE_SECRET_KEY: 'sk_test', STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET, STRIPE_BASE_URL: stripe.url };
const browser = await ConsoleBrowser.start({
  env: keys,
  config: { 'gateway.yaml': 'payments: { prices: { pro: price_pro } }' },
});
afterEach(() => browser.closePages());

describe('a member', () => {
  it('buys the pro plan on the account page, and sees the end of the paid period', async () => {
    const member = await browser.gateway.createPerson();
    const page = await browser.open({ as: member, origins: ['https://checkout.stripe.com'] });
    await page.view.route('https://checkout.stripe.com/**', (route) =>
      route.fulfill({ contentType: 'text/html', body: '<title>Checkout</title><h1>Checkout</h1>' }),
    );
    await page.open('/account');
    await page.view.getByText('You have no paid plan.').waitFor();
    await page.view.getByRole('button', { name: 'Buy Pro' }).click();
    await page.view.waitForURL('https://checkout.stripe.com/c/pay/cs_test_1');
    const now = Math.floor(Date.now() / 1000);
    const script = {
      id: 'sub_1',
      customer: 'cus_1',
      userId: member.id,
      status: 'active',
      periodStart: now,
      periodEnd: now + 30 * DAY_S,
    };
    stripe.subscriptions.set(script.id, script);
    const { body, signature } = stripe.event('customer.subscription.created', toSubscription(script));
    const headers = { 'content-type': 'application/json', 'stripe-signature': signature };
    const url = `${browser.gateway.url}/api/payments/stripe/webhook`;
    expect((await fetch(url, { method: 'POST', headers, body })).status).toBe(204);
    await page.open('/account');
    await page.view.getByText('– renews on').waitFor();
    await page.view.getByRole('button', { name: 'Manage payments' }).waitFor();
    expect(await page.view.getByRole('button', { name: 'Buy Pro' }).count()).toBe(0);
    await page.view.screenshot({ path: 'test-artefacts/screenshots/account-paid.png' });
  });
});
