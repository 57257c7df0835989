import { describe, expect, it } from '@jest/globals';
import { GATEWAY } from '../src/audit/audit.types.js';
import { PlansService } from '../src/billing/plans.service.js';
import { ConsoleClient } from './support/console-client.js';
import { TestGateway } from './support/test-gateway.js';

const MODELS = `
- { id: "meta/llama-4:free", tier: free, displayName: Llama, description: A model., contextLength: 1000,
    targets: [{ upstream: groq, model: llama }] }
- { id: house-model, aliases: [gpt-4o], tier: free, displayName: House, description: Ours., contextLength: 8192, maxOutputTokens: 512,
    ownedBy: us, capabilities: [image_input, tools],
    price: { inputUsdPerMTok: 0.1, cachedInputUsdPerMTok: 0.025, outputUsdPerMTok: 0.4, cacheWrite5mUsdPerMTok: 0.125,
      serviceTiers: { priority: 2 } }, hostedTools: { web_search: 0.01 }, providerFiles: true,
    targets: [{ upstream: openai, model: house }] }
- { id: embed, kind: embedding, tier: pro, displayName: Embed, description: Vectors., dimensions: 1536, maxInputTokens: 8192,
    price: { inputUsdPerMTok: 0.02 }, targets: [{ upstream: openai, model: embed }] }
- { id: pro-model, tier: pro, displayName: Pro, description: More., contextLength: 9,
    targets: [{ upstream: openai, model: pro }] }
`;

interface ModelView {
  id: string;
  callable: boolean;
  reason: string | null;
}

const gateway = await TestGateway.start({
  env: { SIMULATOR: 'off', OPENAI_API_KEY: 'sk-test' },
  config: { 'models.yaml': MODELS },
});
const member = await ConsoleClient.as(gateway, 'member');
const admin = await ConsoleClient.as(gateway, 'admin');

async function models(client: ConsoleClient): Promise<ModelView[]> {
  const { status, body } = await client.get('/api/models');
  expect(status).toBe(200);
  return body;
}

describe('GET /api/models', () => {
  it('shows a member the models that the member can call, with their details from the catalog', async () => {
    expect(await models(member)).toEqual([
      {
        id: 'house-model',
        aliases: ['gpt-4o'],
        kind: 'chat',
        displayName: 'House',
        description: 'Ours.',
        ownedBy: 'us',
        tier: 'free',
        contextLength: 8192,
        dimensions: null,
        maxInputTokens: null,
        maxOutputTokens: 512,
        capabilities: ['image_input', 'tools'],
        inputModalities: ['text', 'image'],
        outputModalities: ['text'],
        price: {
          ...{ inputUsdPerMTok: 0.1, cachedInputUsdPerMTok: 0.025, outputUsdPerMTok: 0.4 },
          cacheWriteUsdPerMTok: { '5m': 0.125 },
          above: [],
          until: null,
          serviceTiers: { priority: 2 },
          hostedTools: { web_search: 0.01 },
        },
        hasPrice: true,
        providerFiles: true,
        simulated: false,
        deprecated: null,
        replacedBy: null,
        health: { status: 'unused', calls: 0, failures: 0, targets: 1, asideTargets: 0 },
        suggestionRank: expect.any(Number),
        callable: true,
        reason: null,
      },
    ]);
  });

  it('shows an admin also the others, with the reason', async () => {
    expect((await models(admin)).map(({ id, callable, reason }) => [id, callable, reason])).toEqual([
      ['meta/llama-4:free', false, 'no_credential'],
      ['house-model', true, null],
      ['embed', false, 'plan'],
      ['pro-model', false, 'plan'],
    ]);
  });

  it('shows embedding models with their dimensions and maximum input', async () => {
    expect((await models(admin)).find(({ id }) => id === 'embed')).toMatchObject({
      kind: 'embedding',
      dimensions: 1536,
      maxInputTokens: 8192,
      contextLength: 8192,
      outputModalities: ['embedding'],
      price: { inputUsdPerMTok: 0.02, outputUsdPerMTok: 0 },
    });
  });

  it('reflects a change of the plan immediately, like /v1/models', async () => {
    const plans = gateway.services.get(PlansService);
    const ids = async () => (await models(member)).map(({ id }) => id);
    await plans.grant(member.user.id, 'pro', null, 'test', GATEWAY);
    expect(await ids()).toEqual(['house-model', 'embed', 'pro-model']);
    const { body } = await member.post('/api/playground/key');
    const listed = await gateway.get('/v1/models?format=list', { authorization: `Bearer ${body.key}` });
    const { data } = (await listed.json()) as { data: ModelView[] };
    expect(data.map(({ id }) => id)).toEqual(await ids());
    await plans.revoke(member.user.id, GATEWAY);
    expect(await ids()).toEqual(['house-model']);
  });

  it('requires a session: an API key is not accepted', async () => {
    const user = await gateway.createUser();
    expect((await gateway.get('/api/models')).status).toBe(401);
    expect((await gateway.get('/api/models', user.headers)).status).toBe(401);
  });
});

describe('GET /api/models/activity', () => {
  const lately = async (client: ConsoleClient) => (await client.get('/api/models/activity')).body;

  it('counts the requests of everyone in 24 hours, by model, and measures streamed ones', async () => {
    expect(await lately(member)).toEqual([]);
    await insertCalls('house-model', { stream: true, firstMs: 100, totalMs: 1100, output: 50 }, 3);
    await insertCalls('house-model', { stream: true, firstMs: 500, totalMs: 1000, output: 100 });
    await insertCalls('house-model', { stream: false, firstMs: 9000, totalMs: 9000, output: 10 });
    await insertCalls('house-model', { status: 'failed' });
    await insertCalls('house-model', { hoursAgo: 30, stream: true, firstMs: 1, totalMs: 2, output: 9 });
    await insertCalls('pro-model', { stream: true, firstMs: 40, totalMs: 40, output: 1 });
    const house = { id: 'house-model', requests: 6, succeeded: 5, errors: 1, refused: 0, streamed: 4 };
    const ofHouse = {
      ...house,
      p50FirstTokenMs: 100,
      p95FirstTokenMs: expect.closeTo(440),
      tokensPerSecond: expect.closeTo(250 / 3.5),
    };
    expect(await lately(member)).toEqual([ofHouse]);
    const ofPro = { id: 'pro-model', requests: 1, streamed: 1, p50FirstTokenMs: 40, tokensPerSecond: null };
    expect(await lately(admin)).toMatchObject([ofHouse, ofPro]);
  });

  it('requires a session', async () => {
    expect((await gateway.get('/api/models/activity')).status).toBe(401);
  });
});

interface LedgerCall {
  status?: string;
  stream?: boolean;
  firstMs?: number;
  totalMs?: number;
  output?: number;
  hoursAgo?: number;
}

async function insertCalls(model: string, call: LedgerCall, count = 1): Promise<void> {
  const { status = 'settled', stream = false, firstMs = null, totalMs = null, output = 0, hoursAgo = 2 } = call;
  await gateway.database.query(
    `INSERT INTO usage_calls (id, started_at, instance_id, request_id, key_id, user_id, plan_id, model, stream, status,
       price_version, output_tokens, first_token_ms, total_ms)
     SELECT 'call-' || gen_random_uuid(), now() - make_interval(hours => $1), 1, 'r', gen_random_uuid(), gen_random_uuid(),
       'free', $2, $3, $4, 'p', $5, $6, $7 FROM generate_series(1, $8)`,
    [hoursAgo, model, stream, status, output, firstMs, totalMs, count],
  );
}
