import { beforeAll, describe, expect, it } from '@jest/globals';
import { GATEWAY } from '../src/audit/audit.types.js';
import { ApiKeysService } from '../src/auth/api-keys.service.js';
import { BudgetsService } from '../src/limits/budgets.service.js';
import { completion } from './support/chat-answers.js';
import { ChatTest, QUESTION } from './support/chat-test.js';
import { ConsoleClient } from './support/console-client.js';
import { eventually } from './support/eventually.js';

/** $0.0001 with the prices of QUESTION's model. */
const USAGE = { prompt_tokens: 500, completion_tokens: 100, total_tokens: 600 };
/** Pays for one call, and less than another reserves. */
const BUDGET = 200_000n;

let chat: ChatTest;

beforeAll(async () => {
  chat = await ChatTest.start();
});

async function ask(content = 'Say hello.'): Promise<number> {
  chat.upstream.enqueue(completion('Hello.', USAGE));
  const response = await chat.gateway.complete(chat.free, { ...QUESTION, messages: [{ role: 'user', content }] });
  await response.text();
  return response.status;
}

async function setBudget(budgetDayNanodollars: bigint): Promise<void> {
  const { services } = chat.gateway;
  await services.get(ApiKeysService).update({ id: chat.free.key.id }, { limits: { budgetDayNanodollars } }, GATEWAY);
}

async function uncovered(): Promise<number | null | undefined> {
  const [budget] = await chat.gateway.services.get(BudgetsService).of({ keys: [chat.free.key.id] });
  return budget?.uncoveredUsd;
}

describe('a budget that refuses a call although some of it is left', () => {
  it('has the smallest refused reservation, until the rest covers it', async () => {
    const { database } = chat.gateway;
    await setBudget(BUDGET);
    expect(await ask()).toBe(200);
    expect(await uncovered()).toBeNull();
    expect(await database.query('SELECT FROM budget_refusals')).toEqual([]);

    expect(await ask('Say hello. '.repeat(200))).toBe(429);
    const ofLong = await eventually(async () => (await uncovered()) ?? false);
    expect(ofLong).toBeGreaterThan(0.0002);
    expect(await ask()).toBe(429);
    const least = await eventually(async () => {
      const now = await uncovered();
      return now != null && now < ofLong && now;
    });
    expect(least).toBeGreaterThan(0.0001);
    expect(least).toBeLessThan(0.0002);

    await setBudget(10n * BUDGET);
    expect(await uncovered()).toBeNull();
    await eventually(async () => (await ask()) === 200);
  });

  it('forgets it when it resets', async () => {
    await setBudget(BUDGET + 1n);
    await eventually(async () => (await ask()) === 429);
    await eventually(async () => (await uncovered()) !== null);
    await chat.gateway.database.query('UPDATE budget_refusals SET since = since - 1');
    expect(await uncovered()).toBeNull();
    const other = { balance_id: chat.free.key.id, period: 'day' };
    expect(await chat.gateway.database.query('SELECT balance_id, period FROM budget_refusals')).toEqual([other]);
  });
});

describe('the list of budgets', () => {
  let admin: ConsoleClient;
  beforeAll(async () => {
    admin = await ConsoleClient.as(chat.gateway, 'admin');
  });

  async function askWith(key: string): Promise<number> {
    chat.upstream.enqueue(completion('Hello.', USAGE));
    const headers = { authorization: `Bearer ${key}` };
    const response = await chat.gateway.complete(chat.free, QUESTION, { headers });
    await response.text();
    return response.status;
  }

  async function listed(id: string) {
    const { body } = await admin.get('/api/budgets');
    return body.items.find((budget: { id: string }) => budget.id === id);
  }

  it('includes a budget that has refused calls before anything was spent', async () => {
    const { body: key } = await admin.post('/api/keys', { name: 'nightly', limits: { budgetDayUsd: 0.0001 } });
    expect(await askWith(key.key)).toBe(429);
    const budget = await eventually(() => listed(key.id));
    expect(budget).toMatchObject({ scope: 'key', projectId: null, spentUsd: 0, amountUsd: 0.0001 });
    expect(budget.uncoveredUsd).toBeGreaterThan(0.0001);
  });

  it('names the project whose plan has the budget', async () => {
    const limits = { budgetDayUsd: 5 };
    expect((await admin.post('/api/plans', { id: 'team', name: 'Team', tiers: ['free'], limits })).status).toBe(201);
    const { body: project } = await admin.post('/api/projects', { name: 'Search' });
    expect((await admin.post(`/api/users/${project.userId}/plan`, { planId: 'team' })).status).toBe(200);
    const { body: key } = await admin.post('/api/keys', { name: 'search-api', projectId: project.id });
    expect(await askWith(key.key)).toBe(200);
    const budget = await eventually(() => listed(project.userId));
    expect(budget).toMatchObject({ scope: 'plan', projectId: project.id, name: 'Search', detail: 'Project' });
  });
});
