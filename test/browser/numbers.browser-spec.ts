import { afterEach, describe, expect, it } from '@jest/globals';
import { UsageLedgerService } from '../../src/ledger/usage-ledger.service.js';
import { openCall } from '../support/test-calls.js';
import { ConsoleBrowser } from './support/console-browser.js';

/** Has a running request, and a refused one. */

/** 199 quick failures, 20 simulated answers at once, and 10 answers of two seconds. */
const CALLS = `
  SELECT 'broken' AS model, 'failed' AS status, false AS simulated, 'openai' AS upstream, 5 AS ms FROM generate_series(1, 199)
  UNION ALL SELECT 'rehearsed', 'settled', true, NULL, 1 FROM generate_series(1, 20)
  UNION ALL SELECT 'steady', 'settled', false, 'openai', 2000 FROM generate_series(1, 10)
  UNION ALL SELECT 'steady', 'failed', false, 'openai', 1 FROM generate_series(1, 10)
  UNION ALL SELECT 'steady', 'settled', true, NULL, 1 FROM generate_series(1, 20)`;

const browser = await ConsoleBrowser.start();
const admin = await browser.gateway.createPerson({ role: 'admin' });
const lead = await browser.gateway.createPerson({ name: 'Grace Hopper' });
await browser.gateway.database.query(
  `INSERT INTO usage_calls (id, started_at, instance_id, request_id, key_id, user_id, plan_id, model, stream, status,
     simulated, upstream, total_ms, first_token_ms, price_version, cost_nanodollars)
   SELECT 'chatcmpl-' || row_number() OVER (), now() - interval '1 minute', 1, 'r', gen_random_uuid(), $1, 'free', model,
     true, status, simulated, upstream, ms, ms, 'v', 0 FROM (${CALLS}) AS call`,
  [admin.id],
);
await browser.gateway.services
  .get(UsageLedgerService)
  .open(openCall({ userId: lead.id, model: 'steady', stream: true }));
await browser.gateway.database.query(
  `INSERT INTO refused_calls (hour, user_id, model, status, code, calls)
   VALUES (date_trunc('hour', now()), $1, 'unknown', 404, 'model_not_found', 3)`,
  [lead.id],
);
afterEach(() => browser.closePages());

describe('the numbers of the usage page', () => {
  it('have times and error rates of requests that an upstream answered: failures and the simulator are apart', async () => {
    const page = await browser.open({ as: admin });
    const { view } = page;
    await page.open('/usage?scope=all&metric=p95');
    const headers = view.getByRole('table').getByRole('columnheader');
    const cellsOf = async (model: string) => {
      const cells = view.getByRole('row', { name: new RegExp(`^${model}`) }).locator('td, th');
      const [names, texts] = [await headers.allInnerTexts(), await cells.allInnerTexts()];
      return Object.fromEntries(names.map((name, index) => [name.trim(), texts[index]?.trim()]));
    };
    await view.getByRole('row', { name: /^steady/ }).waitFor();
    expect(await cellsOf('broken')).toMatchObject({ Failed: '199', Answered: '0', p95: '–' });
    expect(await cellsOf('rehearsed')).toMatchObject({ Simulated: '20', Answered: '0', p95: '–' });
    expect(await cellsOf('steady')).toMatchObject({
      Failed: '10',
      Simulated: '20',
      Answered: '10',
      p95: expect.stringMatching(/^(1\.9|2|2\.1) s/),
    });
    const strip = view.getByRole('group', { name: 'Metric' });
    expect(await strip.getByRole('button', { name: /^Error rate/ }).innerText()).toMatch(/95\.4%/);
    expect(await strip.getByRole('button', { name: /^Latency/ }).innerText()).toMatch(/of 10 answered/);
    expect(await strip.getByRole('button', { name: /^Requests/ }).innerText()).toMatch(/40 simulated/);
  });

  it('can leave simulated requests out, or be of them only', async () => {
    const page = await browser.open({ as: admin });
    const { view } = page;
    await page.open('/usage?scope=all&metric=requests');
    const requests = view.getByRole('group', { name: 'Metric' }).getByRole('button', { name: /^Requests/ });
    await requests.getByText('260').waitFor();
    await view.getByRole('button', { name: 'View' }).click();
    const simulated = view.getByRole('radiogroup', { name: 'Simulated requests' });
    await simulated.getByText('Only').click();
    await requests.getByText('40', { exact: true }).waitFor();
    await simulated.getByText('Left out').click();
    await requests.getByText('220').waitFor();
    expect(page.path).toMatch(/simulated=false/);
  });
});

describe('numbers and words', () => {
  it('show no cost and no tokens of running requests, and no zeros for models that only refused', async () => {
    const page = await browser.open({ as: lead });
    const { view } = page;
    await page.open('/requests');
    const running = view.getByRole('row', { name: /Running/ });
    expect((await running.innerText()).replaceAll(/\s+/g, ' ')).toMatch(/steady .*– –/);
    expect(await running.innerText()).not.toContain('$');
    await page.open('/usage');
    const refused = view.getByRole('row', { name: /^unknown/ });
    expect((await refused.innerText()).replaceAll(/\s+/g, ' ')).toMatch(/^unknown (– )+3( –)+$/);
  });

  it('keep English words in a German browser, which accepts the decimal mark that it shows', async () => {
    const page = await browser.open({ as: admin, locale: 'de-DE' });
    const { view } = page;
    await page.open('/plans');
    await view.getByRole('button', { name: 'New plan' }).click();
    const dialog = view.getByRole('dialog', { name: 'New plan' });
    await dialog.getByLabel('Id').fill('team');
    await dialog.getByLabel('Name').fill('Team');
    await dialog.getByLabel('free').check();
    await dialog.getByRole('button', { name: 'Limits and budgets of each user' }).click();
    await dialog.getByLabel('Budget per month').fill('1,50');
    await dialog.getByRole('button', { name: 'Create plan' }).click();
    const card = view.getByRole('region', { name: 'Plan Team' });
    await card.getByText(/Each user: 1,50\s\$ per month/).waitFor();
    await card.getByRole('button', { name: 'Edit plan Team' }).click();
    expect(await view.getByRole('dialog').getByLabel('Budget per month').inputValue()).toBe('1,5');
    await page.open('/requests?scope=all');
    await page.open('/users');
    await view.getByRole('row', { name: /Grace Hopper/ }).waitFor();
    expect(await view.getByRole('main').innerText()).not.toMatch(/\b(vor|gestern|jetzt|morgen)\b/);
  });
});

describe('lists of failures', () => {
  it('say which upstream failed with which status, and the first line of its message', async () => {
    const person = await browser.gateway.createPerson({ name: 'Alan Turing' });
    const attempt = { upstream: 'openai', upstreamModel: 'm', startMs: 1, ms: 20, outcome: 'upstream_unavailable' };
    const attempts = [{ ...attempt, status: 503, message: 'The engine is overloaded.\nTry later.' }];
    await browser.gateway.database.query(
      `INSERT INTO usage_calls (id, started_at, instance_id, request_id, key_id, user_id, plan_id, model, stream, status,
         upstream, error_code, attempts, price_version)
       VALUES ('chatcmpl-overloaded', now(), 1, 'r', gen_random_uuid(), $1, 'free', 'm', true, 'failed', 'openai',
         'upstream_unavailable', $2, 'v')`,
      [person.id, JSON.stringify(attempts)],
    );
    const page = await browser.open({ as: person });
    const { view } = page;
    await page.open('/requests');
    await view.getByText('provider not available (openai 503): The engine is overloaded.', { exact: true }).waitFor();
    await page.open('/');
    await view.getByText('Failed: provider not available (openai 503)').first().waitFor();
    await view.getByText('The engine is overloaded.', { exact: true }).first().waitFor();
  });
});
