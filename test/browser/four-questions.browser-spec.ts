import { afterEach, describe, expect, it } from '@jest/globals';
import type { Locator } from 'playwright-core';
import { GATEWAY } from '../../src/audit/audit.types.js';
import { ApiKeysService } from '../../src/auth/api-keys.service.js';
import { eventually } from '../support/eventually.js';
import type { TestPerson } from '../support/test-gateway.js';
import { ConsoleBrowser } from './support/console-browser.js';
import type { ConsolePage } from './support/console-page.js';
import { createDemoData } from './support/demo-data.js';

type Who = 'admin' | 'member';

const BOTH = [['admin'], ['member']] as const;

/** A key of the member. */
const SPENDER = 'night-shift';

const browser = await ConsoleBrowser.start();
const demo = await createDemoData(browser.gateway);
const { id } = await newKey(demo.member, SPENDER);
// More than all other calls of the week.
await browser.gateway.database.query(
  `INSERT INTO usage_calls (id, started_at, instance_id, request_id, key_id, user_id, plan_id, model, stream, status,
     price_version, cost_nanodollars)
   VALUES ('chatcmpl-spender', now(), 1, 'r', $1, $2, 'free', 'm', false, 'settled', 'v', 30000000000)`,
  [id, demo.member.id],
);
afterEach(() => browser.closePages());

/** A person on the overview who looks for something, and the number of clicks that it takes. */
class Search {
  clicks = 0;

  private constructor(readonly page: ConsolePage) {}

  static async by(who: Who): Promise<Search> {
    const page = await browser.open({ as: demo[who] });
    await page.open('/');
    return new Search(page);
  }

  get view() {
    return this.page.view;
  }

  async click(target: Locator): Promise<void> {
    this.clicks++;
    await target.click();
  }
}

function newKey(person: TestPerson, name: string) {
  return browser.gateway.services.get(ApiKeysService).create({ name, userId: person.id, expiresAt: null }, GATEWAY);
}

async function call(secret: string, body: object = {}): Promise<number> {
  const response = await fetch(`${browser.gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'gpt-6-luna', messages: [{ role: 'user', content: 'Hello!' }], ...body }),
  });
  await response.text();
  return response.status;
}

describe.each(BOTH)('from the overview, as %s, one finds', (who) => {
  it('finds why a call failed, with one click', async () => {
    const { id, key } = await newKey(demo[who], `${who}-script`);
    expect(await call(key, { temperature: 17 })).toBe(400);
    const noted = () => browser.gateway.database.query('SELECT FROM recent_errors WHERE key_id = $1', [id]);
    await eventually(async () => (await noted()).length === 1);
    const search = await Search.by(who);
    const row = search.view.getByRole('row').filter({ hasText: `${who}-script` });
    await search.click(row.getByRole('link', { name: /^Refused: value not allowed \(400/ }));
    const drawer = search.view.getByRole('dialog', { name: 'Request' });
    await drawer
      .getByText(/^Invalid value for 'temperature'/)
      .first()
      .waitFor();
    expect(search.clicks).toBe(1);
  });

  it('finds who or which key spent most this week, with one click', async () => {
    const by = who === 'admin' ? 'user' : 'key';
    const search = await Search.by(who);
    await search.click(search.view.getByRole('link', { name: `Cost by ${by}, last 7 days` }));
    const table = search.view.getByRole('table', { name: `Usage by ${by}` });
    const first = await table.locator('tbody tr').first().innerText();
    expect(first).toContain(who === 'admin' ? 'Grace Hopper' : SPENDER);
    expect(search.clicks).toBe(1);
  });

  it('finds how to stop a leaked key: the palette takes the whole key, then two clicks', async () => {
    const { key } = await newKey(demo[who], `${who}-leaked`);
    expect(await call(key)).toBe(200);
    const search = await Search.by(who);
    const { view } = search;
    await view.keyboard.press('ControlOrMeta+k');
    await view.getByPlaceholder(/request id/).waitFor();
    await view.evaluate(`navigator.clipboard.writeText('${key}')`);
    await view.keyboard.press('ControlOrMeta+v');
    await view
      .getByRole('dialog')
      .getByRole('button', { name: new RegExp(`${who}-leaked`) })
      .waitFor();
    await view.keyboard.press('Enter');
    await search.click(view.getByRole('button', { name: 'Revoke', exact: true }));
    await search.click(view.getByRole('dialog').getByRole('button', { name: /^Revoke/ }));
    await view.getByText('Revoked', { exact: true }).first().waitFor();
    expect(search.clicks).toBe(2);
    await eventually(async () => (await call(key)) === 401);
  });
});

describe('how much is left', () => {
  it('is on a member’s overview', async () => {
    const search = await Search.by('member');
    await search.view.getByText(/of \$60\.00 · \$[\d.]+ left/).waitFor();
    expect(search.clicks).toBe(0);
  });

  it('is one click from an administrator’s overview, for everyone', async () => {
    const search = await Search.by('admin');
    await search.click(search.view.getByRole('link', { name: 'Budgets' }));
    const row = search.view.getByRole('row', { name: /Grace Hopper|grace@example\.com/ }).first();
    expect(await row.innerText()).toMatch(/left/);
    expect(search.clicks).toBe(1);
  });
});
