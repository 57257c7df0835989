import { expect, it } from '@jest/globals';
import pg from 'pg';
import { GATEWAY } from '../src/audit/audit.types.js';
import { UserLimitsService } from '../src/limits/settings/limit-settings.service.js';
import { budgetsCounted } from './support/counted-budgets.js';
import { eventually } from './support/eventually.js';
import { TestGateway, type TestUser } from './support/test-gateway.js';

const HELLO = { model: 'gpt-6-luna', messages: [{ role: 'user', content: 'Hello' }], max_tokens: 1 };

const gateway = await TestGateway.start({ env: { SIMULATOR: 'on' } });

const statusOf = async (user: TestUser) => {
  const response = await gateway.complete(user, HELLO);
  await response.text();
  return response.status;
};
const readiness = async () => {
  const response = await gateway.get('/health/ready');
  const body = (await response.json()) as { warning?: string };
  return { status: response.status, body };
};

it('a user with a locked balance gets a 503, others are served, and readiness and metrics show it', async () => {
  const [slow, other] = [await gateway.createUser(), await gateway.createUser()];
  for (const { id } of [slow, other]) {
    await gateway.services.get(UserLimitsService).set(id, { budgetMonthNanodollars: 1_000_000_000n }, GATEWAY);
  }
  for (const user of [slow, other]) expect(await statusOf(user)).toBe(200);
  await budgetsCounted(gateway.database);
  const locker = new pg.Client({ connectionString: gateway.database.url });
  await locker.connect();
  await locker.query('BEGIN');
  await locker.query('SELECT FROM limit_balances WHERE id = $1 FOR UPDATE', [slow.id]);
  const refused = statusOf(slow);
  const warned = eventually(async () => {
    const { status, body } = await readiness();
    expect(status).toBe(200);
    return body.warning !== undefined && body;
  });
  for (let calls = 0; calls < 5; calls++) expect(await statusOf(other)).toBe(200);
  expect(await refused).toBe(503);
  expect(await warned).toEqual({
    status: 'ok',
    warning: 'The calls of 1 user cannot be opened in time; they get a 503.',
  });
  // The statement for the user alone may time out a little later than its call.
  const metrics = await eventually(async () => {
    const text = await (await gateway.get('/metrics')).text();
    return /^gateway_ledger_timeouts_total\{writer="apart"\} [1-9]/m.test(text) && text;
  });
  expect(metrics).toMatch(/^gateway_ledger_rows_apart_total [1-9]/m);
  await locker.end();
  expect(await statusOf(slow)).toBe(200);
  await eventually(async () => (await readiness()).body.warning === undefined, 10_000);
});
