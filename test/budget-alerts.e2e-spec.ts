import { beforeEach, describe, expect, it } from '@jest/globals';
import { ProjectsService } from '../src/accounts/projects.service.js';
import { ServiceAccountsService } from '../src/accounts/service-accounts.service.js';
import { GATEWAY } from '../src/audit/audit.types.js';
import type { CreatedApiKey } from '../src/auth/api-key.types.js';
import { ApiKeysService } from '../src/auth/api-keys.service.js';
import { toUsd } from '../src/common/text.js';
import { ProjectLimitsService, UserLimitsService } from '../src/limits/settings/limit-settings.service.js';
import type { LimitChange } from '../src/limits/values/limit-values.js';
import { AlertReceiver } from './support/alert-receiver.js';
import { completion } from './support/chat-answers.js';
import { ChatTest, QUESTION } from './support/chat-test.js';
import { budgetsCounted } from './support/counted-budgets.js';
import { eventually } from './support/eventually.js';
import type { TestUser } from './support/test-gateway.js';

/** More than any call here requests: each is charged its reservation. */
const USAGE = { prompt_tokens: 10_000, completion_tokens: 1000, total_tokens: 11_000 };
const USD = 1_000_000_000n;
const ENDS = String.raw`It resets at \d{4}-\d\d-\d\dT00:00:00\.000Z\.`;

let user: TestUser;

const beganAt = new Date();
const receiver = await AlertReceiver.start();
const chat = await ChatTest.start({ env: { ALERT_WEBHOOK_URL: receiver.url } });
beforeEach(async () => {
  user = await chat.gateway.createUser();
});

const setUser = (change: LimitChange) => chat.gateway.services.get(UserLimitsService).set(user.id, change, GATEWAY);
const setKey = (limits: LimitChange) =>
  chat.gateway.services.get(ApiKeysService).update({ id: user.key.id }, { limits }, GATEWAY);

async function ask(fields: object = {}): Promise<number> {
  chat.upstream.enqueue(completion('Hello.', USAGE));
  const response = await chat.gateway.complete(user, { ...QUESTION, max_tokens: 1000, ...fields });
  await response.text();
  return response.status;
}

async function askAs(key: string): Promise<number> {
  chat.upstream.enqueue(completion('Hello.', USAGE));
  const headers = { authorization: `Bearer ${key}` };
  const response = await chat.gateway.complete(user, { ...QUESTION, max_tokens: 1000 }, { headers });
  await response.text();
  return response.status;
}

/** The charge of a call. */
async function chargeOfCall(): Promise<bigint> {
  await setUser({ budgetTotalNanodollars: 100n * USD });
  expect(await ask()).toBe(200);
  const [row] = await chat.gateway.database.query('SELECT cost_nanodollars FROM usage_calls WHERE user_id = $1', [
    user.id,
  ]);
  await setUser({ budgetTotalNanodollars: null });
  return BigInt(String(row?.cost_nanodollars));
}

/** Of this test's user. */
const alerts = () =>
  receiver.bodies().filter(({ type, text }) => type !== 'over_ceiling' && text?.includes(user.email));
const alerted = (count: number) => eventually(() => alerts().length >= count && alerts(), 20_000);

describe('a budget', () => {
  it('is reported at 80 % and at 100 %, once each', async () => {
    const charge = await chargeOfCall();
    await setUser({ budgetMonthNanodollars: 5n * charge });
    for (let call = 0; call < 3; call++) expect(await ask()).toBe(200);
    const [first] = await alerted(1);
    expect(first).toMatchObject({ type: 'budget_80', subject: user.email });
    const amount = String.raw`\$${toUsd(4n * charge)} of \$${toUsd(5n * charge)}`;
    expect(first?.text).toMatch(
      new RegExp(String.raw`^${user.email} has spent 80 % of the budget for \d{4}-\d\d: ${amount}\. ${ENDS}$`),
    );
    expect(await ask()).toBe(200);
    const reported = await alerted(2);
    expect(reported.map(({ type }) => type)).toEqual(['budget_80', 'budget_100']);
    expect(reported[1]?.text).toContain(`: $${toUsd(5n * charge)} of $${toUsd(5n * charge)}. `);
  });

  it('a budget of a key that refuses a call is reported as used up, even if not all of it is spent', async () => {
    const charge = await chargeOfCall();
    await setKey({ budgetTotalNanodollars: 3n * charge - 1n });
    await budgetsCounted(chat.gateway.database);
    expect(await ask()).toBe(200);
    expect(await ask({ max_tokens: 800 })).toBe(200);
    expect(await ask()).toBe(429);
    const reported = await alerted(2);
    expect(reported.map(({ type }) => type).sort()).toEqual(['budget_100', 'budget_80']);
    for (const { subject, text } of reported) {
      expect(subject).toBe(user.key.id);
      expect(text).toMatch(/^The key ".*" of .* the total budget: \$0\.\d+ of \$0\.\d+\./);
      expect(text).not.toContain('anew');
    }
  });

  it('a budget of a key whose name contains chat markup is reported without the markup', async () => {
    const name = '<!everyone> @channel <@U123> <https://evil.example|text> [text](https://evil.example)';
    await chat.gateway.services.get(ApiKeysService).update({ id: user.key.id }, { name }, GATEWAY);
    await setKey({ budgetMonthNanodollars: 2n * (await chargeOfCall()) });
    expect(await ask()).toBe(200);
    const [reported] = await alerted(1);
    expect(reported?.subject).toBe(user.key.id);
    expect(reported?.text).toMatch(/^The key ".+" of /);
    expect(reported?.text).not.toMatch(/[<>]|@channel|\]\(|:\/\//);
  });

  it('is reported once for each user, period and threshold, even if several keys have their own budgets', async () => {
    const charge = await chargeOfCall();
    const services = chat.gateway.services.get(ApiKeysService);
    const keys: CreatedApiKey[] = [];
    for (let made = 0; made < 4; made++) {
      keys.push(await services.create({ userId: user.id, name: `key ${made}` }, GATEWAY));
    }
    for (const { id } of keys) await services.update({ id }, { limits: { budgetMonthNanodollars: charge } }, GATEWAY);
    for (const { key } of keys) expect(await askAs(key)).toBe(200);
    for (const { key } of keys) expect(await askAs(key)).toBe(429);
    const reported = await alerted(2);
    const marker = user;
    user = await chat.gateway.createUser();
    await setUser({ budgetMonthNanodollars: charge });
    expect(await ask()).toBe(200);
    await alerted(2);
    user = marker;
    expect(alerts()).toEqual(reported);
    expect(reported.map(({ type }) => type)).toEqual(['budget_80', 'budget_100']);
  });

  it('a budget that is raised is reported with its new amount', async () => {
    const charge = await chargeOfCall();
    await setUser({ budgetDayNanodollars: (charge * 5n) / 2n });
    expect(await ask()).toBe(200);
    await alerted(1);
    await setUser({ budgetDayNanodollars: 10n * charge });
    const of80 = () => alerts().filter(({ type }) => type === 'budget_80');
    const reported = await eventually(async () => {
      await ask();
      return of80().length === 2 && of80();
    }, 20_000);
    expect(reported[0]?.text).toContain(` of $${toUsd((charge * 5n) / 2n)}. `);
    expect(reported[1]?.text).toContain(` of $${toUsd(10n * charge)}. `);
  });
});

describe('an upstream that uses more than requested', () => {
  it('is reported once an hour', async () => {
    await chargeOfCall();
    await chargeOfCall();
    const reported = await eventually(() => receiver.bodies().find(({ type }) => type === 'over_ceiling'), 20_000);
    expect(reported.subject).toBe('openai');
    expect(reported.text).toMatch(/see request \S+\.$/);
    const topics = await chat.gateway.database.query("SELECT FROM alert_topics WHERE topic LIKE 'over_ceiling:%'");
    // Every test here has such calls, and an hour may end between them.
    const hours = new Set([beganAt, new Date()].map((date) => date.toISOString().slice(0, 13)));
    expect(topics.length).toBeGreaterThan(0);
    expect(topics.length).toBeLessThanOrEqual(hours.size);
  });
});

describe("a project's budget", () => {
  it('is alerted once for each percentage, under the name of the project', async () => {
    const charge = await chargeOfCall();
    const { services } = chat.gateway;
    const project = await services.get(ProjectsService).create('Search & more', GATEWAY);
    const robot = await services.get(ServiceAccountsService).create(project.id, 'robot', GATEWAY);
    const keys: CreatedApiKey[] = [];
    for (const userId of [project.userId, robot.id]) {
      keys.push(await services.get(ApiKeysService).create({ userId, name: 'key' }, GATEWAY));
    }
    const change = { budgetMonthNanodollars: 5n * charge };
    await services.get(ProjectLimitsService).set(project.id, change, true, GATEWAY);
    for (let call = 0; call < 5; call++) expect(await askAs(keys[call % 2]?.key ?? '')).toBe(200);
    const ofProject = () => receiver.bodies().filter(({ subject }) => subject === project.name);
    await eventually(() => ofProject().some(({ type }) => type === 'budget_100'), 20_000);
    expect(await askAs(keys[0]?.key ?? '')).toBe(429);
    await new Promise((resolve) => setTimeout(resolve, 6000));
    const types = ofProject().map(({ type }) => type);
    expect(types.filter((type) => type === 'budget_100')).toHaveLength(1);
    expect(types.filter((type) => type === 'budget_80').length).toBeLessThanOrEqual(1);
    const reported = ofProject().find(({ type }) => type === 'budget_100');
    expect(reported?.text).toContain('The project Search & more has used up the budget for');
  });
});
