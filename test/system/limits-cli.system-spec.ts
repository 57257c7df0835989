import { afterAll, expect, it } from '@jest/globals';
import { GATEWAY } from '../../src/audit/audit.types.js';
import { ApiKeysService } from '../../src/auth/api-keys.service.js';
import { PlanDefinitionsService } from '../../src/billing/plan-definitions.service.js';
import { UserLimitsService } from '../../src/limits/settings/limit-settings.service.js';
import { completion } from '../support/chat-answers.js';
import { ChatTest, QUESTION } from '../support/chat-test.js';
import { Commands } from '../support/commands.js';
import { eventually } from '../support/eventually.js';
import { gate } from '../support/script.js';
import { USD } from '../support/test-limits.js';
import { createWorkFolder } from '../support/test-settings.js';

const commands = new Commands();

const chat = await ChatTest.start();
const folder = await createWorkFolder();
afterAll(async () => {
  await folder?.remove();
});

const cli = async (args: string) => {
  const variables = { ...folder.variables, DATABASE_URL: chat.gateway.database.url };
  const { code, stdout } = await commands.run([...args.split(' '), '--json'], folder.path, variables);
  return { code, reported: JSON.parse(stdout) };
};
const NEXT = expect.stringMatching(/^\d{4}-\d\d-\d\dT00:00:00\.000Z$/);

it('budget:list includes spending before a budget was set, without another call', async () => {
  const person = await chat.gateway.createUser();
  chat.upstream.enqueue(completion('Hello.', { prompt_tokens: 2300, completion_tokens: 40, total_tokens: 2340 }));
  await chat.gateway.complete(person, { ...QUESTION, max_tokens: 1000 });
  const { services } = chat.gateway;
  const set = async (month: bigint | 'plan', total: bigint | null, day: bigint | null) => {
    await services.get(UserLimitsService).set(person.id, { budgetMonthNanodollars: month }, GATEWAY);
    await services
      .get(ApiKeysService)
      .update({ id: person.key.id }, { limits: { budgetTotalNanodollars: total } }, GATEWAY);
    await services.get(PlanDefinitionsService).update('free', { limits: { budgetDayNanodollars: day } }, GATEWAY);
  };
  await set(20n * USD, 3n * USD, 7n * USD);
  const { reported } = await cli('budget:list');
  const spent = { spentUsd: 0.00025, reservedUsd: 0, uncoveredUsd: null };
  expect(reported).toEqual(
    expect.arrayContaining([
      { scope: 'plan', id: person.id, period: 'day', amountUsd: 7, ...spent, resetsAt: expect.any(String) },
      { scope: 'user', id: person.id, period: 'month', amountUsd: 20, ...spent, resetsAt: expect.any(String) },
      { scope: 'key', id: person.key.id, period: 'total', amountUsd: 3, ...spent, resetsAt: null },
    ]),
  );
  await set(200_000n, 3n * USD, null);
  const variables = { ...folder.variables, DATABASE_URL: chat.gateway.database.url };
  const { stdout } = await commands.run(['budget:list'], folder.path, variables);
  expect(stdout).toMatch(/^scope +id +period +amountUsd +spentUsd +reservedUsd +leftUsd +resetsAt\n/);
  expect(stdout).toMatch(/^user .+ month +0\.0002 +0\.00025 +0 +exceeded by 0\.00005 +\S+Z$/m);
  expect(stdout).toMatch(/^key .+ total +3 +0\.00025 +0 +2\.99975 +-$/m);
  await set('plan', null, null);
});

it('budget:list shows spending, reservations and reset time of every budget', async () => {
  const { id, email, key } = chat.free;
  await cli(`user:set --email ${email} --budget-month 20 --budget-total 100`);
  await cli(`key:set --id ${key.id} --budget-day 1`);
  await cli('plan:set --plan pro --budget-month 5');
  const opened = Promise.withResolvers<void>();
  chat.upstream.enqueue(completion('Hello.', { prompt_tokens: 2300, completion_tokens: 40, total_tokens: 2340 }));
  await chat.gateway.complete(chat.free, { ...QUESTION, max_tokens: 1000 });
  chat.upstream.enqueue([gate(opened.promise), completion()]);
  const running = chat.ask({ max_tokens: 1000 });
  const { reported } = await eventually(async () => {
    const listed = await cli('budget:list');
    return listed.reported.length === 4 ? listed : undefined;
  });
  const spentUsd = 0.00025;
  expect(reported).toEqual(
    expect.arrayContaining([
      {
        scope: 'user',
        id,
        period: 'month',
        amountUsd: 20,
        spentUsd,
        reservedUsd: 0,
        uncoveredUsd: null,
        resetsAt: NEXT,
      },
      {
        scope: 'user',
        id,
        period: 'total',
        amountUsd: 100,
        spentUsd,
        reservedUsd: 0,
        uncoveredUsd: null,
        resetsAt: null,
      },
      {
        scope: 'key',
        id: key.id,
        period: 'day',
        amountUsd: 1,
        spentUsd,
        reservedUsd: 0,
        uncoveredUsd: null,
        resetsAt: NEXT,
      },
      {
        scope: 'plan',
        id: chat.pro.id,
        period: 'month',
        amountUsd: 5,
        spentUsd: 0,
        reservedUsd: expect.closeTo(0.00051, 4),
        uncoveredUsd: null,
        resetsAt: NEXT,
      },
    ]),
  );
  opened.resolve();
  expect((await running).status).toBe(200);
});

it('ledger:verify exits with 0 for a correct ledger, and with 1 otherwise', async () => {
  expect(await cli('ledger:verify')).toEqual({ code: 0, reported: { ok: true, calls: 3, waiting: 0, faults: [] } });
  await chat.gateway.database.query('UPDATE limit_balances SET spent_total = spent_total + 1 WHERE id = $1', [
    chat.free.id,
  ]);
  expect(await cli('ledger:verify')).toEqual({
    code: 1,
    reported: {
      ok: false,
      calls: 3,
      waiting: 0,
      faults: [expect.stringMatching(/^balance .* of a user: spent \(total\) is \d+/)],
    },
  });
});
