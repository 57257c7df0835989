import { describe, expect, it } from '@jest/globals';
import type { ClosedCall } from '../src/ledger/call-record.types.js';
import { UsageLedgerService } from '../src/ledger/usage-ledger.service.js';
import { CatalogService } from '../src/models/catalog.service.js';
import { UsageRollupsService } from '../src/usage/rollups/usage-rollups.service.js';
import { completion, refusal } from './support/chat-answers.js';
import { ChatTest } from './support/chat-test.js';
import { ConsoleClient } from './support/console-client.js';
import { closedCall, openCall } from './support/test-calls.js';

const TARGETS = 'targets: [{ upstream: up, model: m }]';
const MODELS = `
- { id: priced, tier: free, displayName: P, description: D, contextLength: 9000, maxOutputTokens: 500, ${TARGETS},
    price: { inputUsdPerMTok: 4, outputUsdPerMTok: 10, cacheWrite1hUsdPerMTok: 10, serviceTiers: { priority: 2.5 },
      hostedTools: { web_search: 0.01 } } }
- { id: for-free, tier: free, displayName: F, description: D, contextLength: 9000, price: free, ${TARGETS} }
- { id: unpriced, tier: free, displayName: U, description: D, contextLength: 9000, ${TARGETS} }
- { id: other-unpriced, tier: free, displayName: O, description: D, contextLength: 9000, ${TARGETS} }
`;
const NOTHING = {
  basis: null,
  cacheWrites: [],
  cachedUsd: null,
  serviceTier: null,
  hostedTools: [],
  overReservedUsd: 0,
  underestimated: null,
  otherAttemptsUsd: 0,
  isFree: false,
  isUnpriced: false,
  listUsd: null,
  outputCeiling: null,
  hasOtherPrices: false,
  servedTier: null,
  aboveInputTokens: null,
  soundTokens: 0,
};

let key: { id: string; key: string };

const chat = await ChatTest.start({
  env: { UP_API_KEY: 'k' },
  catalog: {
    models: MODELS,
    upstreams: (baseUrl) => `up: { protocol: openai-compatible, baseUrl: "${baseUrl}" }`,
  },
});
const admin = await ConsoleClient.as(chat.gateway, 'admin');
const member = await ConsoleClient.as(chat.gateway, 'member');
key = (await member.post('/api/keys', { name: 'test' })).body;

/** A call of the member; resolves to its id. */
async function ask(model: string, more: object = {}, script = completion()): Promise<string> {
  chat.upstream.enqueue(script);
  const response = await fetch(`${chat.gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, messages: [{ role: 'user', content: 'Hi' }], ...more }),
  });
  await response.text();
  return String((await chat.row(response)).id);
}

/** A call that the ledger has; resolves to its id. */
async function stored(closed: Partial<ClosedCall>): Promise<string> {
  const { price } = chat.gateway.services.get(CatalogService).find('priced') ?? {};
  const call = openCall({
    ...{ keyId: key.id, userId: member.user.id, model: 'priced', priceVersion: price?.version ?? '' },
    ...closed,
  });
  await chat.gateway.services.get(UsageLedgerService).close(closedCall(call, closed));
  return call.id;
}

const chargeOf = async (id: string) => (await member.get(`/api/usage/calls/${id}`)).body.charge;

describe('a call in the console', () => {
  it('needs no explanation if it was charged the list price of the reported usage', async () => {
    const { body } = await member.get(`/api/usage/calls/${await ask('priced')}`);
    expect(body).toMatchObject({ charge: null, servedModel: 'priced', tokenSource: 'reported', costUsd: 0.000074 });
    expect(body).not.toHaveProperty('priceVersion');
    expect(await chargeOf(await ask('for-free'))).toBeNull();
  });

  it('shows its service tier, and that the gateway counted its tokens', async () => {
    const id = await ask('priced', { service_tier: 'priority' }, completion('Hello there!', null));
    expect(await chargeOf(id)).toEqual({
      ...NOTHING,
      basis: 'visible',
      serviceTier: { name: 'priority', factor: 2.5 },
      listUsd: expect.any(Number),
    });
  });

  it("shows cache writes with their price, the provider's tools, and the cost above the reservation", async () => {
    const charge = {
      cacheWrite5m: 1200,
      cacheWrite1h: 30,
      hostedTools: { web_search: 2 },
      overReserved: 1_200_000,
      underestimated: 'web_search',
      otherAttempts: 300_000,
      basis: 'ceiling',
    } as const;
    expect(await chargeOf(await stored({ charge }))).toEqual({
      ...NOTHING,
      basis: 'ceiling',
      cacheWrites: [
        { minutes: 5, tokens: 1200, factor: 1.25 },
        { minutes: 60, tokens: 30, factor: 2.5 },
      ],
      hostedTools: [{ name: 'web_search', calls: 2 }],
      overReservedUsd: 0.0012,
      underestimated: 'web_search',
      otherAttemptsUsd: 0.0003,
      listUsd: expect.any(Number),
    });
  });

  it('shows no relative price after the prices have changed or the model was removed', async () => {
    for (const input of [{ priceVersion: 'of-old' }, { model: 'gone', servedModel: 'gone' }]) {
      const { cacheWrites, listUsd } = await chargeOf(await stored({ charge: { cacheWrite5m: 7 }, ...input }));
      expect(cacheWrites).toEqual([{ minutes: 5, tokens: 7, factor: null }]);
      expect(listUsd).toBeNull();
    }
  });

  it('shows that it is free because its upstream failed, or counts as $0 because its model has no price', async () => {
    expect(await chargeOf(await stored({ status: 'failed', charge: { isFree: true } }))).toEqual({
      ...NOTHING,
      isFree: true,
      listUsd: expect.any(Number),
    });
    expect(await chargeOf(await ask('unpriced'))).toEqual({ ...NOTHING, isUnpriced: true });
  });

  it('shows the list price if the cost differs, and that the prices have changed since', async () => {
    const id = await ask('priced', { service_tier: 'priority' });
    const { body } = await member.get(`/api/usage/calls/${id}`);
    expect(body.charge.listUsd).toBeCloseTo(body.costUsd / 2.5, 9);
    const charge = await chargeOf(await stored({ priceVersion: 'of-old', costNanodollars: 5n }));
    expect(charge).toMatchObject({ hasOtherPrices: true, listUsd: null });
  });

  it('shows the output ceiling that a budget has set', async () => {
    const id = await stored({ charge: { outputCeiling: 300 } });
    expect(await chargeOf(id)).toMatchObject({ outputCeiling: 300 });
  });

  it('a call in the console that failed has the message of its upstream, without quotes of the prompt or secrets', async () => {
    const secret = `svc_${'q'.repeat(40)}`;
    const message = `The text 'please hold this secret' is too long for ${secret}: ${'x'.repeat(600)}`;
    const messages = [{ role: 'user', content: 'please hold this secret' }];
    const id = await ask('priced', { messages }, refusal(400, message));
    const { body } = await member.get(`/api/usage/calls/${id}`);
    const [{ status, message: reported }] = body.attempts;
    expect([status, reported]).toEqual([400, expect.stringContaining("The text '[of the prompt]' is too long")]);
    expect(reported.length).toBeLessThanOrEqual(300);
    expect(reported).not.toContain('qqqq');
  });

  it('is explained by the model that served it, not by the requested one', async () => {
    const version = chat.gateway.services.get(CatalogService).find('unpriced')?.price.version ?? '';
    const served = { servedModel: 'unpriced', priceVersion: version, costNanodollars: 0n };
    expect(await chargeOf(await stored(served))).toMatchObject({ isUnpriced: true });
  });
});

describe('calls of models without a price', () => {
  const during = (more = '') => {
    const day = 86_400_000;
    const [from, to] = [Date.now() - day, Date.now() + day].map((ms) => new Date(ms).toISOString());
    return `/api/usage?from=${from}&to=${to}${more}`;
  };
  const counted = async (client: ConsoleClient, more = '') => (await client.get(during(more))).body.unpricedCalls;

  it('are counted where costs are summed, rolled up or not: only calls that an upstream answered', async () => {
    expect(await counted(member)).toBe(1);
    await ask('unpriced');
    await ask('other-unpriced');
    await ask('unpriced', {}, refusal(500));
    await stored({ model: 'unpriced', servedModel: 'unpriced', upstream: null, simulated: true });
    await stored({ model: 'unpriced', servedModel: null, status: 'aborted' });
    await stored({ model: 'unpriced', startedAt: new Date(Date.now() - 3 * 86_400_000) });
    for (const _ of ['from the ledger', 'from the roll-ups']) {
      expect(await counted(member)).toBe(4);
      expect(await counted(admin, '&scope=all')).toBe(4);
      expect(await counted(admin)).toBe(0);
      expect(await counted(member, `&keys=${key.id}&models=other-unpriced`)).toBe(1);
      expect(await counted(member, '&models=priced')).toBe(0);
      expect(await counted(member, '&statuses=settled')).toBe(3);
      expect(await counted(member, '&statuses=failed')).toBe(0);
      await chat.gateway.services.get(UsageRollupsService).rollUp();
    }
  });

  it('are shown on the overview, for the own calls or those of all users', async () => {
    const of = async (client: ConsoleClient, scope: string) => {
      const { today, month } = (await client.get(`/api/overview?scope=${scope}`)).body;
      return [today.unpricedCalls, month.unpricedCalls];
    };
    const [today, month] = await of(member, 'mine');
    expect(today).toBe(4);
    expect([4, 5]).toContain(month);
    expect(await of(admin, 'mine')).toEqual([0, 0]);
    expect(await of(admin, 'all')).toEqual([today, month]);
  });

  it('are marked by their model', async () => {
    const { body } = await member.get('/api/models');
    const marks = body.map(({ id, hasPrice }: { id: string; hasPrice: boolean }) => [id, hasPrice]);
    const expected = [
      ['priced', true],
      ['for-free', true],
      ['unpriced', false],
      ['other-unpriced', false],
    ];
    expect(marks).toEqual(expected);
    const { models } = (await admin.get('/api/upstreams')).body;
    expect(models.map(({ id, hasPrice }: { id: string; hasPrice: boolean }) => [id, hasPrice])).toEqual(expected);
  });
});
