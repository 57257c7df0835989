import { describe, expect, it } from '@jest/globals';
import { GATEWAY } from '../src/audit/audit.types.js';
import { PlansService } from '../src/billing/plans.service.js';
import { ConsoleClient } from './support/console-client.js';
import { eventually } from './support/eventually.js';
import { TestGateway } from './support/test-gateway.js';

const HELLO = { messages: [{ role: 'user', content: 'Hello!' }] };

type ModelView = { id: string; price: { inputUsdPerMTok: number; outputUsdPerMTok: number } };

const priceOf = ({ price }: ModelView) => price.inputUsdPerMTok + price.outputUsdPerMTok;

const gateway = await TestGateway.start({ env: { SIMULATOR: 'on' } });

describe('the overview of a new user', () => {
  it('shows the remaining steps and a model to try', async () => {
    const member = await ConsoleClient.as(gateway, 'member');
    const { status, body } = await member.get('/api/overview');
    expect(status).toBe(200);
    expect(body).toMatchObject({ hasCalledSuccessfully: false, firstCallAt: null, hasKey: false, recentErrors: [] });
    expect(body.today.totals).toEqual({ requests: 0, succeeded: 0, refused: 0, errors: 0, tokens: 0, costUsd: 0 });
    const mine = await member.get('/api/models');
    const byPrice = mine.body.toSorted((a: ModelView, b: ModelView) => priceOf(a) - priceOf(b));
    expect(body.exampleModel).toBe(byPrice[0].id);
    expect(body.simulated).toBe(true);
    expect((await member.get('/api/overview/first-call')).body).toEqual({
      done: false,
      at: null,
      model: null,
      failure: null,
    });
  });

  it('changes within a second after the first successful call, and not before', async () => {
    const { member, call } = await memberWithKey();
    expect((await member.get('/api/overview')).body.hasKey).toBe(true);
    expect((await call('no-such-model')).status).toBe(404);
    expect((await member.get('/api/overview/first-call')).body.done).toBe(false);
    const model = (await member.get('/api/overview')).body.exampleModel;
    expect((await call(model)).status).toBe(200);
    const first = await member.get('/api/overview/first-call');
    expect(first.body).toMatchObject({ done: true, model });
    expect(Date.now() - Date.parse(first.body.at)).toBeLessThan(60_000);
  });
});

describe('the numbers of the overview', () => {
  it('are up to date immediately: today, this month and the errors, only for the own calls', async () => {
    const { member, call } = await memberWithKey();
    const model = (await member.get('/api/overview')).body.exampleModel;
    await call(model);
    await call(model);
    await call('no-such-model');
    const { body: mine } = await member.get('/api/overview?zone=Asia/Kathmandu');
    for (const span of [mine.today, mine.month]) {
      expect(span.totals).toMatchObject({ requests: 2, errors: 0 });
      expect(span.totals.tokens).toBeGreaterThan(0);
      expect(sum(span.points, 'requests')).toBe(2);
      expect(sum(span.points, 'tokens')).toBe(span.totals.tokens);
    }
    const [error] = await eventually(async () => {
      const { body } = await member.get('/api/overview');
      return body.recentErrors.length > 0 && body.recentErrors;
    });
    expect(error).toMatchObject({ status: 404, code: 'model_not_found', model: 'no-such-model' });
    const other = await ConsoleClient.as(gateway, 'member');
    const { body: theirs } = await other.get('/api/overview');
    expect(theirs.month.totals.requests).toBe(0);
    expect(theirs.recentErrors).toEqual([]);
  });

  it('have a point for each hour of the day and each day of the month so far', async () => {
    const member = await ConsoleClient.as(gateway, 'member');
    const now = new Date();
    const { body } = await member.get('/api/overview?zone=UTC');
    expect(body.today.points.length - 1 - now.getUTCHours()).toBeLessThanOrEqual(1);
    expect(body.today.points[0].start).toBe(`${now.toISOString().slice(0, 10)}T00:00:00.000Z`);
    expect(body.month.points[0].start).toBe(`${now.toISOString().slice(0, 7)}-01T00:00:00.000Z`);
    expect(body.month.points).toHaveLength(now.getUTCDate());
  });

  it('include all users for an admin who requests that, and for no one else', async () => {
    const { call, member } = await memberWithKey();
    await call((await member.get('/api/overview')).body.exampleModel);
    const admin = await ConsoleClient.as(gateway, 'admin');
    expect((await admin.get('/api/overview')).body.month.totals.requests).toBe(0);
    expect((await admin.get('/api/overview?scope=all')).body.month.totals.requests).toBeGreaterThan(0);
    expect((await member.get('/api/overview?scope=all')).status).toBe(403);
  });
});

describe('the plan on the overview', () => {
  it('lists the models that pro would add, until the user has it', async () => {
    const member = await ConsoleClient.as(gateway, 'member');
    const before = await member.get('/api/overview');
    expect(before.body.plan).toEqual({ id: 'free', name: 'Free', since: null, until: null });
    expect(before.body.proAdds.length).toBeGreaterThan(0);
    const until = new Date(Date.now() + 86_400_000);
    await gateway.services.get(PlansService).grant(member.user.id, 'pro', until, 'test', GATEWAY);
    const after = await member.get('/api/overview');
    expect(after.body.plan).toMatchObject({ id: 'pro', name: 'Pro', until: until.toISOString() });
    expect(after.body.proAdds).toEqual([]);
  });
});

describe('an invalid query', () => {
  it.each([
    ['zone=Mars/Olympus', 'zone'],
    ['scope=theirs', 'scope'],
    ['colour=red', 'colour'],
  ])('%s is refused by name', async (query, param) => {
    const member = await ConsoleClient.as(gateway, 'member');
    const { status, body } = await member.get(`/api/overview?${query}`);
    expect(status).toBe(400);
    expect(body.error.param).toBe(param);
  });

  it('an invalid query without a session is refused', async () => {
    const nobody = ConsoleClient.of(gateway);
    expect((await nobody.get('/api/overview')).status).toBe(401);
    expect((await nobody.get('/api/overview/first-call')).status).toBe(401);
  });
});

async function memberWithKey() {
  const member = await ConsoleClient.as(gateway, 'member');
  const { body } = await member.post('/api/keys', { name: 'test' });
  const call = (model: string) =>
    fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${body.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model, ...HELLO }),
    }).then(async (response) => {
      await response.text();
      return response;
    });
  return { member, call };
}

function sum(points: Record<string, number>[], field: string): number {
  return points.reduce((total, point) => total + (point[field] ?? 0), 0);
}
