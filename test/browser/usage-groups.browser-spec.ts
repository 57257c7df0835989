import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestPerson } from '../support/test-gateway.js';
import { ConsoleBrowser } from './support/console-browser.js';

const KEYS = 205;

let browser: ConsoleBrowser;
let person: TestPerson;

beforeAll(async () => {
  browser = await ConsoleBrowser.start();
  person = await browser.gateway.createPerson({ role: 'admin' });
  await browser.gateway.database.query(
    `INSERT INTO usage_calls (id, started_at, instance_id, request_id, key_id, user_id, plan_id, model, stream, status,
       price_version, cost_nanodollars)
     SELECT 'chatcmpl-' || n, now(), 1, 'r', gen_random_uuid(), $1, 'free', 'm', false, 'settled', 'v', 1000000000 * n
     FROM generate_series(1, ${KEYS}) AS n`,
    [person.id],
  );
});
afterEach(() => browser?.closePages());
afterAll(() => browser?.stop());

describe('the table of groups', () => {
  it('has the first 200, tells what the others come to, and shows them when asked', async () => {
    const { view, open } = await pageOf();
    await open('/usage?scope=all&by=key&metric=cost');
    const rows = view.getByRole('table', { name: 'Usage by key' }).locator('tbody tr');
    await view.getByText('5 others: 5 requests, $15.00').waitFor();
    await view.getByText('200 of 205').waitFor();
    const before = await rows.count();
    await view.getByRole('button', { name: 'Show more' }).click();
    await view.getByText('5 others').waitFor({ state: 'detached' });
    expect((await rows.count()) - before).toBe(5);
    expect(await view.getByRole('button', { name: 'Show more' }).count()).toBe(0);
  });
});

async function pageOf() {
  const page = await browser.open({ as: person });
  return { view: page.view, open: (path: string) => page.open(path) };
}
