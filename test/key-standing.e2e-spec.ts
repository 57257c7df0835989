import { describe, expect, it, jest } from '@jest/globals';
import { getDataSourceToken } from '@nestjs/typeorm';
import { ProjectsService } from '../src/accounts/projects.service.js';
import { UsersService } from '../src/accounts/users.service.js';
import { GATEWAY } from '../src/audit/audit.types.js';
import { ApiKeysService } from '../src/auth/api-keys.service.js';
import { PlanDefinitionsService } from '../src/billing/plan-definitions.service.js';
import { ProjectLimitsService, UserLimitsService } from '../src/limits/settings/limit-settings.service.js';
import { completion } from './support/chat-answers.js';
import { ChatTest, QUESTION } from './support/chat-test.js';
import { eventually } from './support/eventually.js';

const chat = await ChatTest.start();

async function standing(headers: Record<string, string>, path = '/v1/key') {
  const response = await fetch(chat.gateway.url + path, { headers });
  return { status: response.status, body: await response.json() };
}

const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

describe('GET /v1/key', () => {
  it('shows a key its name, plan and models, in any header of a key, and without limits none', async () => {
    const user = await chat.gateway.createUser({ name: 'laptop', models: ['gpt-6-luna'] });
    const { key, id, display } = user.key;
    const expected = {
      ...{ object: 'key', id, name: 'laptop', display, expires_at: null, project: null, plan: 'free' },
      ...{ models: ['gpt-6-luna'], limits: [] },
    };
    for (const headers of [bearer(key), { 'x-api-key': key }, { 'api-key': key }] as Record<string, string>[]) {
      expect(await standing(headers)).toEqual({ status: 200, body: expected });
    }
    expect(await standing(bearer(key), '/openai/v1/key')).toEqual({ status: 200, body: expected });
    const unknown = await standing(bearer(`${key.slice(0, -1)}x`));
    expect(unknown).toMatchObject({ status: 401, body: { error: { code: 'invalid_api_key' } } });
  });

  it('shows what is left of the limits of the key, its owner and the plan, and takes nothing of them', async () => {
    const { services } = chat.gateway;
    await services.get(PlanDefinitionsService).update('free', { limits: { concurrentCalls: 7 } }, GATEWAY);
    const user = await chat.gateway.createUser({ limits: { requestsPerMinute: 10, budgetDayNanodollars: 10n ** 9n } });
    await services.get(UserLimitsService).set(user.id, { budgetMonthNanodollars: 5n * 10n ** 9n }, GATEWAY);
    chat.upstream.enqueue(completion('Hello.', { prompt_tokens: 500, completion_tokens: 100, total_tokens: 600 }));
    const response = await chat.gateway.complete(user, QUESTION);
    expect([response.status, await response.text()]).toEqual([200, expect.stringContaining('Hello.')]);
    const read = async () => (await standing(user.headers)).body as { limits: Record<string, unknown>[] };
    await eventually(async () => JSON.stringify(await read()).includes('"spent_usd":0.0001'));
    const { limits } = await read();
    const byScope = new Map(limits.map((limit) => [limit.scope, limit]));
    expect([...byScope.keys()].sort()).toEqual(['key', 'plan', 'user']);
    const midnight = new Date(new Date().setUTCHours(24, 0, 0, 0)).toISOString();
    expect(byScope.get('key')).toEqual({
      scope: 'key',
      requests_per_minute: { limit: 10, remaining: 9, reset_ms: expect.any(Number) },
      tokens_per_minute: null,
      concurrent_calls: null,
      budgets: [
        {
          ...{ period: 'day', amount_usd: 1, spent_usd: 0.0001, reserved_usd: 0 },
          ...{ remaining_usd: 0.9999, resets_at: midnight },
        },
      ],
    });
    expect(byScope.get('user')).toMatchObject({
      requests_per_minute: null,
      budgets: [{ period: 'month', amount_usd: 5, spent_usd: 0.0001, remaining_usd: 4.9999 }],
    });
    expect(byScope.get('plan')).toMatchObject({ concurrent_calls: { limit: 7, used: 0 }, budgets: [] });
    for (let i = 0; i < 20; i++) expect((await standing(user.headers)).status).toBe(200);
    const again = (await read()).limits.find(({ scope }) => scope === 'key');
    expect(again).toMatchObject({ requests_per_minute: { remaining: 9 } });
    await services.get(PlanDefinitionsService).update('free', { limits: { concurrentCalls: null } }, GATEWAY);
  });

  it('counts the earlier spending of a budget that has not checked a call yet', async () => {
    const user = await chat.gateway.createUser();
    chat.upstream.enqueue(completion('Hello.', { prompt_tokens: 500, completion_tokens: 100, total_tokens: 600 }));
    await (await chat.gateway.complete(user, QUESTION)).text();
    const limits = { budgetTotalNanodollars: 10n ** 9n };
    await chat.gateway.services.get(ApiKeysService).update({ id: user.key.id }, { limits }, GATEWAY);
    const budget = { period: 'total', spent_usd: 0.0001, remaining_usd: 0.9999, resets_at: null };
    await eventually(async () => ((await standing(user.headers)).body as { limits: unknown[] }).limits.length > 0);
    expect((await standing(user.headers)).body).toMatchObject({ limits: [{ scope: 'key', budgets: [budget] }] });
  });

  it('shows a key of a project the limits of the project, by one read', async () => {
    const { services } = chat.gateway;
    const project = await services.get(ProjectsService).create('Search', GATEWAY);
    const limits = { tokensPerMinute: 1000, concurrentCalls: 2 };
    await services.get(ProjectLimitsService).set(project.id, limits, true, GATEWAY);
    const { userId } = project;
    expect(await services.get(UsersService).findOwner(userId)).toMatchObject({ kind: 'project' });
    const { key } = await services.get(ApiKeysService).create({ userId, name: 'prod' }, GATEWAY);
    const expected = {
      name: 'prod',
      project: 'Search',
      limits: [
        {
          ...{ scope: 'project', requests_per_minute: null },
          tokens_per_minute: { limit: 1000, remaining: 1000, reset_ms: 0 },
          ...{ concurrent_calls: { limit: 2, used: 0 }, budgets: [] },
        },
      ],
    };
    expect((await standing(bearer(key))).body).toMatchObject(expected);
    const query = jest.spyOn(services.get(getDataSourceToken()), 'query');
    expect((await standing(bearer(key))).body).toMatchObject(expected);
    expect(query.mock.calls.filter(([, values]) => JSON.stringify(values ?? []).includes(project.id))).toHaveLength(1);
    query.mockRestore();
  });
});
