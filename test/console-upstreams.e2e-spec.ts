import { beforeEach, describe, expect, it } from '@jest/globals';
import { answerTo, completion, refusal } from './support/chat-answers.js';
import { ConsoleClient } from './support/console-client.js';
import { gate } from './support/script.js';
import { ScriptedUpstream } from './support/scripted-upstream.js';
import { TestGateway } from './support/test-gateway.js';

const KEY = 'sk-upstream-4f1d9c';
const UPSTREAMS = `
openai: { protocol: openai, baseUrl: "https://api.openai.com/v1" }
groq: { protocol: groq, baseUrl: "https://api.groq.com" }
local: { protocol: vllm, baseUrl: "http://127.0.0.1:9/v1", auth: none, clocks: { connect: 1s } }
bedrock: { protocol: bedrock, baseUrl: "https://bedrock-runtime.us-east-1.amazonaws.com" }
`;
const MODELS = `
- { id: first, tier: free, displayName: First, description: A model., contextLength: 1000,
    targets: [{ upstream: openai, model: gpt-first }, { upstream: groq, model: llama, priority: 2 }] }
- { id: second, tier: pro, displayName: Second, description: A model., contextLength: 1000,
    targets: [{ upstream: groq, model: llama }] }
`;

const upstream = await ScriptedUpstream.start();
const gateway = await TestGateway.start({
  env: { SIMULATOR: 'auto', OPENAI_API_KEY: KEY, OPENAI_BASE_URL: `${upstream.url}/v1` },
  config: { 'upstreams.yaml': UPSTREAMS, 'models.yaml': MODELS, 'gateway.yaml': 'retry: { attempts: 1 }' },
});
const admin = await ConsoleClient.as(gateway, 'admin');
const user = await gateway.createUser();
beforeEach(() => {
  upstream.always(answerTo);
});

const NOT_ASIDE = { asideReason: null, asideUntil: null, asideBy: null, keys: [] };
const NO_CALLS = { status: 'unused', calls: 0, failures: 0, asideTargets: 0 };

interface View {
  upstreamsFile: string;
  modelsFile: string;
  upstreams: {
    name: string;
    health: string;
    lastSuccessAt: string | null;
    lastError: unknown;
    cachedShare: number | null;
  }[];
  models: { id: string; cachedShare: number | null }[];
}

const uncalled = (targets: number) => ({ cachedShare: null, health: { ...NO_CALLS, targets } });

async function view(): Promise<View> {
  const { status, body } = await admin.get('/api/upstreams');
  expect(status).toBe(200);
  return body;
}

async function upstreamNamed(name: string) {
  return (await view()).upstreams.find((one) => one.name === name);
}

describe('GET /api/upstreams', () => {
  it('shows the content of the files and which credential each upstream has or lacks, but no secret', async () => {
    const body = await view();
    expect(body.upstreamsFile).toMatch(/config\/upstreams\.yaml$/);
    expect(body.modelsFile).toMatch(/config\/models\.yaml$/);
    expect(body.upstreams).toMatchObject([
      {
        name: 'openai',
        protocol: 'openai',
        baseUrl: `${upstream.url}/v1`,
        baseUrlSetBy: 'OPENAI_BASE_URL',
        auth: 'bearer',
        state: 'live',
        variables: [['OPENAI_API_KEY']],
        setVariables: ['OPENAI_API_KEY'],
        clocks: { connect: 5000, head: 300_000, firstEvent: 120_000, idle: 60_000, total: 900_000 },
        models: [{ id: 'first', upstreamModel: 'gpt-first' }],
      },
      {
        name: 'groq',
        baseUrlSetBy: null,
        state: 'no_credential',
        variables: [['GROQ_API_KEY']],
        setVariables: [],
        models: [
          { id: 'first', upstreamModel: 'llama' },
          { id: 'second', upstreamModel: 'llama' },
        ],
      },
      {
        name: 'local',
        baseUrl: 'http://127.0.0.1:9/v1',
        auth: 'none',
        state: 'live',
        variables: [],
        clocks: { connect: 1000 },
        models: [],
      },
      {
        name: 'bedrock',
        auth: 'sigv4',
        state: 'no_credential',
        variables: [['AWS_BEARER_TOKEN_BEDROCK'], ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'], ['BEDROCK_API_KEY']],
      },
    ]);
    expect(body.models).toEqual([
      {
        id: 'first',
        displayName: 'First',
        tier: 'free',
        hasPrice: false,
        ...uncalled(1),
        state: 'live',
        targets: [
          {
            upstream: 'openai',
            model: 'gpt-first',
            priority: 1,
            weight: 1,
            live: true,
            ...NOT_ASIDE,
          },
          {
            upstream: 'groq',
            model: 'llama',
            priority: 2,
            weight: 1,
            live: false,
            ...NOT_ASIDE,
          },
        ],
      },
      {
        id: 'second',
        displayName: 'Second',
        tier: 'pro',
        hasPrice: false,
        ...uncalled(0),
        state: 'hidden',
        targets: [
          {
            upstream: 'groq',
            model: 'llama',
            priority: 1,
            weight: 1,
            live: false,
            ...NOT_ASIDE,
          },
        ],
      },
    ]);
    expect(JSON.stringify(body)).not.toContain(KEY);
  });

  it('shows the last success and the last error of an upstream from its calls', async () => {
    expect(await upstreamNamed('openai')).toMatchObject({ lastSuccessAt: null, lastError: null });
    const request = { model: 'first', messages: [{ role: 'user', content: 'Hi' }] };
    expect((await gateway.complete(user, request)).status).toBe(200);
    upstream.always(() => refusal(500));
    const failed = await gateway.complete(user, request);
    expect(failed.status).toBeGreaterThanOrEqual(500);
    const { error } = (await failed.json()) as { error: { code: string } };
    const shown = await upstreamNamed('openai');
    expect(shown).toMatchObject({
      lastError: { code: error.code, status: 500, model: 'first', requestId: failed.headers.get('x-request-id') },
    });
    for (const status of [400, 422, 413]) {
      upstream.always(() => refusal(status, 'The caller did it.'));
      expect((await gateway.complete(user, request)).status).toBeLessThan(500);
    }
    expect((await upstreamNamed('openai'))?.lastError).toEqual(shown?.lastError);
    expect(Date.now() - Date.parse(shown?.lastSuccessAt ?? '')).toBeLessThan(60_000);
    expect(await upstreamNamed('groq')).toMatchObject({ lastSuccessAt: null, lastError: null });
  });

  it('shows the share of the input that came from the cache, by upstream and by model', async () => {
    const usage = { prompt_tokens: 1_000_000, completion_tokens: 1, total_tokens: 1_000_001 };
    upstream.always(() => completion('Hi', { ...usage, prompt_tokens_details: { cached_tokens: 250_000 } }));
    await gateway.complete(user, { model: 'first', messages: [{ role: 'user', content: 'Hi' }] });
    const { upstreams, models } = await view();
    expect(upstreams.find(({ name }) => name === 'openai')?.cachedShare).toBeCloseTo(0.25, 2);
    expect(upstreams.find(({ name }) => name === 'groq')?.cachedShare).toBeNull();
    expect(models.find(({ id }) => id === 'first')?.cachedShare).toBeCloseTo(0.25, 2);
    expect(models.find(({ id }) => id === 'second')?.cachedShare).toBeNull();
  });

  it('shows how an upstream has answered recently, separately from its credential', async () => {
    const request = { model: 'first', messages: [{ role: 'user', content: 'Hi' }] };
    await gateway.database.query('DELETE FROM usage_calls');
    expect(await upstreamNamed('openai')).toMatchObject({ state: 'live', health: 'unused', attempts: 0, failures: 0 });
    expect(await upstreamNamed('groq')).toMatchObject({ health: 'no_credential' });
    expect(await upstreamNamed('local')).toMatchObject({ health: 'unused' });

    upstream.always(() => refusal(500));
    for (let call = 0; call < 3; call++) await gateway.complete(user, request);
    expect(await upstreamNamed('openai')).toMatchObject({ health: 'failing', attempts: 3, failures: 3 });
    const unwell = [{ name: 'openai', attempts: 3, failures: 3, code: 'upstream_error', faults: [] }];
    expect((await admin.get('/api/overview')).body.failing).toEqual(unwell);
    const member = await ConsoleClient.as(gateway, 'member');
    expect((await member.get('/api/overview')).body.failing).toEqual([]);

    upstream.always(answerTo);
    for (let call = 0; call < 4; call++) await gateway.complete(user, request);
    expect(await upstreamNamed('openai')).toMatchObject({ health: 'healthy', attempts: 7, failures: 3 });

    // Errors caused by the request do not count for the upstream.
    upstream.always(() => refusal(400));
    for (let call = 0; call < 6; call++) await gateway.complete(user, request);
    expect(await upstreamNamed('openai')).toMatchObject({ health: 'healthy', attempts: 7, failures: 3 });
  });

  it('is for admins', async () => {
    const member = await ConsoleClient.as(gateway, 'member');
    expect((await member.get('/api/upstreams')).status).toBe(403);
    expect((await member.post('/api/upstreams/openai/test')).status).toBe(403);
  });
});

describe('POST /api/upstreams/:name/test', () => {
  it('makes a JSON and a streamed call, returns their results, and is recorded in the audit log', async () => {
    const { status, body } = await admin.post('/api/upstreams/openai/test');
    expect(status).toBe(200);
    const call = {
      key: null,
      ok: true,
      model: 'first',
      firstTokenMs: expect.any(Number),
      ms: expect.any(Number),
      error: null,
      reason: null,
      warning: null,
    };
    expect(body).toEqual({
      upstream: 'openai',
      ok: true,
      calls: [
        { kind: 'json', ...call },
        { kind: 'stream', ...call },
      ],
    });
    const [entry] = (await admin.get('/api/audit?action=upstream.test')).body.items;
    expect(entry).toMatchObject({
      actor: { name: admin.user.email },
      target: { kind: 'upstream', name: 'openai' },
      after: { ok: true, calls: [{ key: null, kind: 'json', ok: true, ms: expect.any(Number), error: null }, {}] },
    });
  });

  it('shows an error like a client would see it, and never the key', async () => {
    upstream.always(() => refusal(401, `Incorrect API key provided: ${KEY}`));
    const { status, body } = await admin.post('/api/upstreams/openai/test');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      ok: false,
      calls: [{ ok: false, error: expect.stringContaining('status: 401') }, {}],
    });
    expect(JSON.stringify(body)).not.toContain(KEY);
    const { body: log } = await admin.get('/api/audit?action=upstream.test');
    expect(JSON.stringify(log)).not.toContain(KEY);
  });

  it('runs one test at a time for each upstream', async () => {
    const { promise: opened, resolve: open } = Promise.withResolvers<void>();
    upstream.always((request) => answerTo(request, gate(opened)));
    const requested = [1, 2].map(() => admin.post('/api/upstreams/openai/test'));
    expect(await Promise.race(requested)).toMatchObject({ status: 409 });
    open();
    expect((await Promise.all(requested)).map(({ status }) => status).sort()).toEqual([200, 409]);
    expect((await admin.post('/api/upstreams/openai/test')).status).toBe(200);
  });

  it('is refused for an upstream without a credential, and for an unknown one', async () => {
    expect(await admin.post('/api/upstreams/groq/test')).toMatchObject({ status: 400, body: { error: {} } });
    expect((await admin.post('/api/upstreams/nothing/test')).status).toBe(404);
    expect((await admin.post('/api/upstreams/__proto__/test')).status).toBe(404);
  });

  it('shows which target is set aside, why, and until when', async () => {
    upstream.always(() => refusal(401));
    await gateway.complete(user, { model: 'first', messages: [{ role: 'user', content: 'Hi' }] });
    const { models } = (await admin.get('/api/upstreams')).body;
    const { targets } = models.find(({ id }: { id: string }) => id === 'first');
    expect(targets[0]).toMatchObject({ upstream: 'openai', asideReason: 'refused' });
    expect(Date.parse(targets[0].asideUntil)).toBeGreaterThan(Date.now());
  });
});
