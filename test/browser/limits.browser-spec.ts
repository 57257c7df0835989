import { afterEach, describe, expect, it } from '@jest/globals';
import { GATEWAY } from '../../src/audit/audit.types.js';
import { ApiKeysService } from '../../src/auth/api-keys.service.js';
import { UserLimitsService } from '../../src/limits/settings/limit-settings.service.js';
import { eventually } from '../support/eventually.js';
import { ConsoleBrowser } from './support/console-browser.js';
import type { ConsolePage } from './support/console-page.js';

const browser = await ConsoleBrowser.start();
const admin = await browser.gateway.createPerson({ role: 'admin' });
const member = await browser.gateway.createPerson({ email: 'grace@example.com', name: 'Grace Hopper' });
afterEach(() => browser.closePages());

/** The faults of the current page, wide and narrow; keeps screenshots. */
async function faultsOf(page: ConsolePage, name: string): Promise<string[]> {
  const faults: string[] = [];
  for (const width of [1280, 360]) {
    await page.view.setViewportSize({ width, height: 900 });
    faults.push(...(await page.accessibilityFaults()), ...(await page.sidewaysFaults()));
    await page.screenshot(`${name}-${width}`);
  }
  await page.view.setViewportSize({ width: 1280, height: 900 });
  return faults;
}

describe('limits and budgets', () => {
  it('limits and budgets of a plan are set when it is created; it can then be granted and retired', async () => {
    const page = await browser.open({ as: admin });
    const { view } = page;
    await page.open('/plans');
    await view.getByRole('button', { name: 'New plan' }).click();
    const dialog = view.getByRole('dialog', { name: 'New plan' });
    await dialog.getByLabel('Id').fill('Team A');
    await dialog.getByLabel('Name').fill('Team A');
    await dialog.getByLabel('free').check();
    await dialog.getByRole('button', { name: 'Limits and budgets of each user' }).click();
    await dialog.getByLabel('Requests per minute').fill('60');
    await dialog.getByLabel('Budget per month').fill('$20');
    await dialog.getByRole('button', { name: 'Create plan' }).click();
    await dialog.getByText('Use a-z, 0-9, - and _, such as team-a').waitFor();
    await dialog.getByText('Enter dollars, such as 20 or 0.50').waitFor();
    expect(await faultsOf(page, 'plan-form-light')).toEqual([]);
    await dialog.getByLabel('Id').fill('team-a');
    await dialog.getByLabel('Budget per month').fill('20');
    await dialog.getByRole('button', { name: 'Create plan' }).click();
    const card = view.getByRole('region', { name: 'Plan Team A' });
    await card.getByText('Each user: 60 requests per minute, $20.00 per month').waitFor();
    await card.getByRole('button', { name: 'Edit plan Team A' }).click();
    const edit = view.getByRole('dialog', { name: 'Edit plan Team A' });
    await edit.getByLabel('Requests per minute').fill('');
    await edit.getByRole('button', { name: 'Save' }).click();
    await card.getByText('Each user: $20.00 per month').waitFor();
    await card.getByRole('button', { name: 'Retire plan Team A' }).click();
    await view.getByRole('dialog').getByRole('button', { name: 'Retire' }).click();
    await card.getByText('Retired').waitFor();
    expect(await card.getByRole('button', { name: 'Grant to a user' }).count()).toBe(0);
  });

  it('are shown with the remainder, and a warning before they are spent', async () => {
    const { gateway } = browser;
    const person = await gateway.createPerson();
    const page = await browser.open({ as: person });
    await gateway.database.query(
      `WITH key AS (
         INSERT INTO api_keys (user_id, name, key_hash, display) VALUES ($1, 'ci', sha256('ci'), 'svc_') RETURNING id
       )
       INSERT INTO usage_calls (id, started_at, instance_id, request_id, key_id, user_id, plan_id, model, stream, status,
         price_version, cost_nanodollars)
       SELECT 'chatcmpl-1', now(), 1, 'r', id, $1, 'free', 'm', false, 'settled', 'v', 4250000000 FROM key`,
      [person.id],
    );
    const limits = { budgetMonthNanodollars: 5_000_000_000n, budgetTotalNanodollars: 100_000_000_000n };
    await gateway.services.get(UserLimitsService).set(person.id, { ...limits, requestsPerMinute: 60 }, GATEWAY);
    await page.open('/');
    // On top once the budget counts the earlier spending, until then in the card of the limits.
    await page.view.getByText(/^(80 % or more of a budget is spent|A budget is nearly spent)/).waitFor();
    await page.view.getByText('$4.25 of $5.00 · $0.75 left').waitFor();
    await page.view.getByText('All your keys together are limited to 60 requests per minute.').waitFor();
    await page.view.getByText('0 of 60 used · 60 left').waitFor();
    await gateway.database.query(
      `INSERT INTO limit_balances (id, kind, at, requests_per_minute, requests_used)
       VALUES ($1, 'user', now() + interval '1 hour', 60, 45)
       ON CONFLICT (id) DO UPDATE SET at = excluded.at, requests_per_minute = 60, requests_used = 45`,
      [person.id],
    );
    await page.view.getByText('45 of 60 used · 15 left').waitFor();
    await page.view.getByRole('progressbar', { name: 'Requests per minute: 75% used' }).waitFor();
    await page.view.getByText('Fully available').waitFor();
    expect(await faultsOf(page, 'overview-limits-light')).toEqual([]);
  });

  it('show by how much a budget is exceeded everywhere, and never a negative remainder', async () => {
    const { gateway } = browser;
    const person = await gateway.createPerson({ email: 'over@example.com' });
    const limits = { budgetMonthNanodollars: 5_000_000_000n };
    await gateway.services.get(UserLimitsService).set(person.id, limits, GATEWAY);
    const input = { userId: person.id, name: 'over', expiresAt: null, limits };
    const { id } = await gateway.services.get(ApiKeysService).create(input, GATEWAY);
    await gateway.database.query(
      `INSERT INTO usage_calls (id, started_at, instance_id, request_id, key_id, user_id, plan_id, model, stream, status,
         price_version, cost_nanodollars)
       VALUES ('chatcmpl-over', now(), 1, 'r', $1, $2, 'free', 'm', false, 'settled', 'v', 5001200000)`,
      [id, person.id],
    );
    const text = '$5.0012 of $5.0000 · exceeded by $0.0012';
    const page = await browser.open({ as: person });
    await page.open('/');
    await page.view.getByText(/^A budget is (exceeded: requests that cost something are refused|used up)/).waitFor();
    await page.view.getByText(text).waitFor();
    expect(await page.view.getByText(/-\$/).count()).toBe(0);
    const bar = page.view.getByRole('progressbar', { name: 'Budget per month: 100% spent' });
    expect(await bar.getAttribute('aria-valuenow')).toBe('100');
    expect(await faultsOf(page, 'overview-exceeded-light')).toEqual([]);
    await page.open('/keys');
    await page.view.getByTitle(`This month: ${text}`).first().waitFor({ state: 'attached' });
    const ours = await browser.open({ as: admin, theme: 'dark' });
    await ours.open(`/users?user=${person.id}`);
    await ours.view.waitForURL(new RegExp(`/users/${person.id}$`));
    await ours.view.getByText(text).waitFor();
    expect(await faultsOf(ours, 'user-exceeded-dark')).toEqual([]);
  });

  it('limits and budgets of a key: its bar, the text at the bar and the tooltip name the limit that is nearest', async () => {
    const { gateway } = browser;
    const person = await gateway.createPerson();
    const limits = {
      budgetMonthNanodollars: 20_000_000_000n,
      budgetDayNanodollars: 50_000_000n,
      requestsPerMinute: 60,
    };
    const input = { userId: person.id, name: 'near', expiresAt: null, limits };
    const { id } = await gateway.services.get(ApiKeysService).create(input, GATEWAY);
    await gateway.database.query(
      `INSERT INTO usage_calls (id, started_at, instance_id, request_id, key_id, user_id, plan_id, model, stream, status,
         price_version, cost_nanodollars)
       VALUES ('chatcmpl-near', now(), 1, 'r', $1, $2, 'free', 'm', false, 'settled', 'v', 47111000)`,
      [id, person.id],
    );
    const page = await browser.open({ as: person });
    await page.open('/keys');
    const row = page.view.getByRole('row', { name: /near/ });
    const bar = row.getByRole('progressbar', { name: 'Budget per day: 94.2% spent' });
    await row.getByText('94.2% of $0.0500 today').waitFor();
    const tooltip = 'Today: $0.0471 of $0.0500 · $0.0029 left';
    expect(await bar.locator('xpath=ancestor-or-self::*[@title][1]').getAttribute('title')).toBe(tooltip);
    expect(await row.getByText('94.2% of $0.0500 today').getAttribute('title')).toBe(tooltip);
    expect(await row.getByText('+2').getAttribute('title')).toContain('This month: $0.05 of $20.00 · $19.95 left');
    await row.getByText('$0.0471', { exact: true }).waitFor();
    expect(await faultsOf(page, 'keys-nearest-light')).toEqual([]);
  });

  it('limits and budgets of a user replace the plan’s, and a key of that user gets no more', async () => {
    const [ours, theirs] = [await browser.open({ as: admin, theme: 'dark' }), await browser.open({ as: member })];
    const { view } = ours;
    await ours.open('/users');
    const row = view.getByRole('row', { name: /grace@example\.com/ });
    await row.getByRole('button', { name: /^Actions for/ }).click();
    await view.getByRole('menuitem', { name: 'Limits…' }).click();
    const dialog = view.getByRole('dialog', { name: 'Limits of grace@example.com' });
    const field = dialog.getByRole('textbox', { name: 'Concurrent requests' });
    expect(await field.getAttribute('placeholder')).toBe('Plan: no limit');
    await field.click();
    await view.keyboard.type('7');
    await field.fill('');
    expect(await field.getAttribute('placeholder')).toBe('Plan: no limit');
    const unlimited = dialog.getByRole('button', { name: 'No limit: Concurrent requests' });
    await unlimited.click();
    expect(await field.getAttribute('placeholder')).toBe('No limit');
    expect(await unlimited.getAttribute('aria-pressed')).toBe('true');
    await field.click();
    await view.keyboard.type('3');
    expect(await unlimited.getAttribute('aria-pressed')).toBe('false');
    expect(await faultsOf(ours, 'user-limits-dark')).toEqual([]);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });

    await theirs.open('/keys');
    const page = theirs.view;
    await page.getByRole('button', { name: 'Create key' }).first().click();
    const form = page.getByRole('dialog');
    await form.getByRole('button', { name: 'Limits and budgets' }).click();
    await form.getByText('All your keys together are limited to 3 concurrent requests').waitFor();
    await form.getByLabel('Concurrent requests').fill('4');
    await form.getByLabel('Budget per month').fill('0.50');
    await form.getByRole('button', { name: 'Create key' }).click();
    await form.getByText('your keys cannot have more').waitFor();
    expect(await faultsOf(theirs, 'key-limits-light')).toEqual([]);
    await form.getByLabel('Concurrent requests').fill('2');
    await form.getByRole('button', { name: 'Create key' }).click();
    await form.getByRole('button', { name: 'Copy', exact: true }).click();
    await form.getByRole('button', { name: 'Done' }).click();
    const keyRow = page.getByRole('row').filter({ hasText: '0% of $0.50 this month +1' });
    await keyRow.getByRole('progressbar', { name: 'Budget per month: 0% spent' }).waitFor({ state: 'attached' });
    expect(await faultsOf(theirs, 'keys-limited-light')).toEqual([]);
  });

  it('limits and budgets that refuse a call appear in the refused requests, with the reason and the reset', async () => {
    const { gateway } = browser;
    const person = await gateway.createPerson();
    const input = { userId: person.id, name: 'laptop', expiresAt: null, limits: { requestsPerMinute: 1 } };
    const { key } = await gateway.services.get(ApiKeysService).create(input, GATEWAY);
    const ask = async () => {
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
      const messages = [{ role: 'user', content: 'Hi' }];
      const body = JSON.stringify({ model: 'gpt-6-luna', messages, max_tokens: 1 });
      const reply = await fetch(`${gateway.url}/v1/chat/completions`, { method: 'POST', headers, body });
      await reply.text();
      return reply.status;
    };
    expect(await ask()).toBe(200);
    expect(await ask()).toBe(429);
    await eventually(async () => (await gateway.database.query('SELECT FROM recent_errors')).length > 0);
    const page = await browser.open({ as: person });
    const { view } = page;
    await page.open('/');
    await view.getByRole('link', { name: 'limit reached (429)' }).click();
    const drawer = view.getByRole('dialog', { name: 'Request' });
    await drawer.getByText('HTTP 429').waitFor();
    await drawer
      .getByText(/The limit of the key is 1 request a minute\. Please try again in \d+ s\./)
      .first()
      .waitFor();
    expect(await faultsOf(page, 'refused-by-limit-light')).toEqual([]);
  });
});
