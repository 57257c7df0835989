import { afterEach, expect, it } from '@jest/globals';
import { GATEWAY } from '../../src/audit/audit.types.js';
import { ApiKeysService } from '../../src/auth/api-keys.service.js';
import { BudgetsService } from '../../src/limits/budgets.service.js';
import { UserLimitsService } from '../../src/limits/settings/limit-settings.service.js';
import { completion } from '../support/chat-answers.js';
import { QUESTION } from '../support/chat-test.js';
import { bearer } from '../support/console-keys.js';
import { budgetsCounted } from '../support/counted-budgets.js';
import { eventually } from '../support/eventually.js';
import { ScriptedUpstream } from '../support/scripted-upstream.js';
import type { TestPerson } from '../support/test-gateway.js';
import { ConsoleBrowser } from './support/console-browser.js';

const USAGE = { prompt_tokens: 1000, completion_tokens: 40, total_tokens: 1040 };
const BUDGET = 240_000n;
const STATE = 'The rest does not cover another call';

const upstream = await ScriptedUpstream.start();
const browser = await ConsoleBrowser.start({
  env: { OPENAI_BASE_URL: `${upstream.url}/v1`, OPENAI_API_KEY: 'sk-test-of-the-console' },
});
afterEach(() => browser.closePages());

/** Makes calls with a new key of the person until the rest of a budget refuses one. */
async function callUntilRefused(person: TestPerson, set: (keyId: string) => Promise<unknown>): Promise<string> {
  const { gateway } = browser;
  const { id, key } = await gateway.services
    .get(ApiKeysService)
    .create({ userId: person.id, name: 'nightly' }, GATEWAY);
  await set(id);
  const ask = () => {
    upstream.enqueue(completion('Hello.', USAGE));
    const request = { method: 'POST', headers: { 'content-type': 'application/json', ...bearer(key) } };
    return fetch(`${gateway.url}/v1/chat/completions`, { ...request, body: JSON.stringify(QUESTION) });
  };
  expect((await ask()).status).toBe(200);
  await budgetsCounted(gateway.database);
  expect((await ask()).status).toBe(429);
  const budgets = gateway.services.get(BudgetsService);
  await eventually(async () => {
    const shown = await budgets.of({ keys: [id], users: [person.id] });
    return shown.some(({ uncoveredUsd }) => uncoveredUsd !== null);
  });
  return id;
}

it('a key’s budget that refuses calls although some of it is left says so on its page and in the list', async () => {
  const person = await browser.gateway.createPerson();
  const limits = { budgetTotalNanodollars: BUDGET };
  const id = await callUntilRefused(person, (keyId) =>
    browser.gateway.services.get(ApiKeysService).update({ id: keyId }, { limits }, GATEWAY),
  );
  const page = await browser.open({ as: person, width: 1440 });
  const { view } = page;
  await page.open(`/keys/${id}`);
  await view.getByText(/The rest does not cover another call: one that reserves \$0\.0001\d was refused\./).waitFor();
  await page.screenshot('budget-refusals-key-light-1440');
  await page.open('/keys');
  const near = view.getByRole('row', { name: /nightly/ }).getByText(/50% of \$0\.0002/);
  expect(await near.getAttribute('title')).toContain(STATE);
  await page.screenshot('budget-refusals-keys-light-1440');
});

it('a user’s budget that refuses calls although some of it is left is a state of its own', async () => {
  const { gateway } = browser;
  const admin = await gateway.createPerson({ role: 'admin' });
  await callUntilRefused(admin, () =>
    gateway.services.get(UserLimitsService).set(admin.id, { budgetMonthNanodollars: BUDGET }, GATEWAY),
  );
  const page = await browser.open({ as: admin, width: 1440 });
  const { view } = page;
  await page.open('/budgets?state=short&budget=user');
  const row = view.getByRole('row', { name: new RegExp(admin.email) });
  expect(await row.innerText()).toMatch(
    new RegExp(`${STATE}\\s+Refused a call that reserves \\$0\\.0001\\d[\\s\\S]*Now`),
  );
  for (const width of [1440, 1280, 360]) {
    await view.setViewportSize({ width, height: 900 });
    await page.screenshot(`budget-refusals-light-${width}`);
    expect(await page.sidewaysFaults()).toEqual([]);
  }
  await page.open('/');
  await view
    .getByRole('status')
    .getByText(/the rest does not cover another call/)
    .waitFor();
});
