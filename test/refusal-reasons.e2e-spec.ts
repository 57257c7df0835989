import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { GATEWAY } from '../src/audit/audit.types.js';
import { ApiKeysService } from '../src/auth/api-keys.service.js';
import { ConsoleClient } from './support/console-client.js';
import { eventually } from './support/eventually.js';
import { TestGateway } from './support/test-gateway.js';

let key: { id: string; key: string };

const model = (id: string, tier: string) =>
  `- { id: ${id}, tier: ${tier}, displayName: ${id}, description: D, contextLength: 1000, targets: [{ upstream: openai, model: x }] }`;

const gateway = await TestGateway.start({
  env: { SIMULATOR: 'on' },
  config: { 'models.yaml': [model('cheap', 'free'), model('other', 'free'), model('dear', 'pro')].join('\n') },
});
const admin = await ConsoleClient.as(gateway, 'admin');
const member = await ConsoleClient.as(gateway, 'member');
key = (await member.post('/api/keys', { name: 'laptop', models: ['cheap'] })).body;

const call = (name: string, secret = key.key) =>
  fetch(`${gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: name, messages: [{ role: 'user', content: 'Hi' }] }),
  });

/** The refusal of a call as the person sees it in the console. */
async function refusalOf(answered: Promise<Response>, client = member) {
  const response = await answered;
  const found = await eventually(async () => {
    const { status, body } = await client.get(`/api/usage/calls/${response.headers.get('x-request-id')}`);
    return status === 200 && body;
  });
  return found.refusal;
}

describe('the reason of a refusal in the console', () => {
  it("names the person's plan and the plans that have the model, which the wire does not tell", async () => {
    expect(await refusalOf(call('dear'))).toEqual({
      sentence: 'The plan Free does not include dear. It is in: Pro.',
      scope: 'plan',
      remedy: 'Use an id from `GET /v1/models`.',
    });
  });

  it("tells a model that is not on the key's list from one that does not exist", async () => {
    expect(await refusalOf(call('other'))).toMatchObject({ sentence: 'The key may call cheap only.', scope: 'key' });
    expect(await refusalOf(call('nothing'))).toMatchObject({
      sentence: 'The catalog has no model nothing.',
      scope: null,
    });
  });

  it('names the limit, whose it is and when it is over', async () => {
    await admin.patch(`/api/users/${member.user.id}/limits`, { requestsPerMinute: 1 });
    await eventually(async () => (await call('cheap')).status === 429);
    expect(await refusalOf(call('cheap'))).toMatchObject({
      sentence: expect.stringMatching(/^The limit of the user is 1 request a minute\. Please try again in \d+ s\.$/),
      scope: 'user',
    });
    await admin.patch(`/api/users/${member.user.id}/limits`, { requestsPerMinute: 'plan' });
  });

  it('says what became of a key', async () => {
    const revoked = (await member.post('/api/keys', { name: 'old' })).body;
    await gateway.services.get(ApiKeysService).revoke({ id: revoked.id }, GATEWAY);
    expect(await refusalOf(call('cheap', revoked.key))).toMatchObject({
      sentence: expect.stringMatching(/^The key was revoked on \d{4}-\d\d-\d\d\.$/),
      scope: 'key',
    });
  });

  it('is null for a request that was answered', async () => {
    const answered = await eventually(async () => {
      const response = await call('cheap');
      return response.status === 200 && response;
    });
    const { body } = await member.get(`/api/usage/calls/${answered.headers.get('x-request-id')}`);
    expect(body).toMatchObject({ status: 'settled', refusal: null });
  });
});

describe('GET /api/keys/{id}/limits', () => {
  it("has the limits of the key's owner with what is left, and none if there are none", async () => {
    expect((await member.get(`/api/keys/${key.id}/limits`)).body).toEqual([]);
    await admin.patch(`/api/users/${member.user.id}/limits`, { requestsPerMinute: 50, budgetMonthUsd: 20 });
    await eventually(async () => (await call('cheap')).status === 200);
    const limits = await eventually(async () => {
      const { body } = await member.get(`/api/keys/${key.id}/limits`);
      return body[0]?.rates[0]?.used > 0 && body;
    });
    expect(limits).toEqual([
      {
        scope: 'user',
        budgets: [expect.objectContaining({ period: 'month', amountUsd: 20, spentUsd: 0, uncoveredUsd: null })],
        rates: [expect.objectContaining({ name: 'requestsPerMinute', limit: 50, used: expect.any(Number) })],
      },
    ]);
  });

  it('has no limits of the keys of others, and is 404 for an id that is not one', async () => {
    const stranger = await ConsoleClient.as(gateway, 'member');
    for (const id of [key.id, randomUUID(), 'no-id']) {
      expect((await stranger.get(`/api/keys/${id}/limits`)).status).toBe(404);
    }
    expect((await admin.get(`/api/keys/${key.id}/limits`)).body).toHaveLength(1);
  });
});
