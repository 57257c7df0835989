import { beforeAll, describe, expect, it } from '@jest/globals';
import OpenAI from 'openai';
import { expectError } from './support/error-reply.js';
import { TestGateway, type TestUser } from './support/test-gateway.js';

const SLASHED = 'meta/llama-4:free';
const MODELS = `
- { id: "${SLASHED}", tier: free, displayName: Llama, description: A model., contextLength: 1000,
    targets: [{ upstream: openai, model: llama }] }
- { id: house-model, tier: free, displayName: House, description: Ours., contextLength: 8192, maxOutputTokens: 512,
    ownedBy: us, created: 1767225600, capabilities: [image_input, tools],
    price: { inputUsdPerMTok: 0.1, cachedInputUsdPerMTok: 0.025, outputUsdPerMTok: 0.4 },
    targets: [{ upstream: openai, model: house }] }
- { id: pro-model, tier: pro, displayName: Pro, description: More., contextLength: 9,
    targets: [{ upstream: openai, model: pro }] }
`;

let gateway: TestGateway;
let free: TestUser;
let pro: TestUser;

beforeAll(async () => {
  gateway = await TestGateway.start({ env: { SIMULATOR: 'on' } });
  free = await gateway.createUser();
  pro = await gateway.createUser({ plan: 'pro' });
});

async function get(path: string, headers: Record<string, string> = {}, user = pro) {
  const response = await gateway.get(path, { ...user.headers, ...headers });
  expect(response.status).toBe(200);
  expect(response.headers.get('cache-control')).toBe('private, no-store');
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
  return response.json() as Promise<unknown>;
}

const LIST = { object: 'list', data: expect.any(Array) };

describe('GET /v1/models', () => {
  it('lists the 7 free models for a member of the free plan and all 17 for a pro member', async () => {
    const lists = await Promise.all([free, pro].map((user) => get('/v1/models', {}, user) as Promise<object[]>));
    expect(lists.map((list) => list.length)).toEqual([7, 17]);
    expect(lists[0]?.every((model) => 'tier' in model && model.tier === 'free')).toBe(true);
  });

  it('is an array of exactly the five specified fields for a plain client', async () => {
    const models = (await get('/v1/models')) as object[];
    expect(models[0]).toEqual({
      id: 'gpt-6.1-sol',
      tier: 'pro',
      context_len: 1_050_000,
      display_name: 'GPT-6.1 Sol',
      description: "OpenAI's strong all-rounder for agentic coding and hard multi-step work.",
    });
    const keys = models.map((model) => Object.keys(model).sort().join());
    expect(new Set(keys)).toEqual(new Set(['context_len,description,display_name,id,tier']));
  });

  it('is a list for a client that needs one', async () => {
    expect(await get('/v1/models', { 'user-agent': 'litellm/1.80.0' })).toEqual(LIST);
    expect(await get('/v1/models', { 'X-Stainless-Lang': 'js' })).toEqual(LIST);
  });

  it('has the format of ?format= for every client', async () => {
    expect(await get('/v1/models?format=list')).toEqual(LIST);
    expect(await get('/v1/models?format=array', { 'user-agent': 'OpenAI/JS 7' })).toHaveLength(17);
    expect(await get('/openai/v1/models?format=array')).toHaveLength(17);
  });

  it.each(['table', '', 'list&format=list'])('rejects ?format=%s', async (format) => {
    const reply = await gateway.get(`/v1/models?format=${format}`, pro.headers);
    await expectError(reply, { status: 400, code: 'invalid_value', param: 'format' });
  });

  it('is a list below /openai/v1', async () => {
    expect(await get('/openai/v1/models')).toEqual(LIST);
    expect(await get('/openai/v1/models', {}, free)).toMatchObject({ data: { length: 7 } });
  });

  it('contains the same models in both formats, in the order of the catalog', async () => {
    const array = (await get('/v1/models')) as { id: string }[];
    const { data } = (await get('/v1/models?format=list')) as { data: { id: string }[] };
    expect(data.map(({ id }) => id)).toEqual(array.map(({ id }) => id));
    expect(data).toMatchObject(array);
  });

  it('is understood by the OpenAI SDK below /v1 and /openai/v1, one model and all of them', async () => {
    for (const base of ['/v1', '/openai/v1']) {
      const client = new OpenAI({ apiKey: free.key.key, baseURL: gateway.url + base, maxRetries: 0 });
      const ids: string[] = [];
      for await (const { id } of client.models.list()) ids.push(id);
      expect(ids).toHaveLength(7);
      expect(await client.models.retrieve('nova-2-lite')).toMatchObject({ id: 'nova-2-lite', object: 'model' });
      await expect(client.models.retrieve('grok-4.7')).rejects.toBeInstanceOf(OpenAI.NotFoundError);
    }
  });
});

describe('a model outside the plan does not exist', () => {
  const hidden = 'claude-opus-5.5';
  const unknown = 'claude-opus-9.9';

  /** Everything that a client sees of a reply, but for the id of the request, the date and the model itself. */
  async function seen(reply: Response, model: string) {
    const headers = [...reply.headers].filter(([name]) => !['x-request-id', 'date'].includes(name));
    return { status: reply.status, headers, body: (await reply.text()).replaceAll(model, 'THE-MODEL') };
  }

  it.each(['/v1/models/', '/openai/v1/models/'])('a model outside the plan does not exist at %s', async (path) => {
    const replies = await Promise.all([hidden, unknown].map((id) => gateway.get(path + id, free.headers)));
    const [a, b] = await Promise.all([hidden, unknown].map((id, i) => seen(replies[i] as Response, id)));
    expect(a).toEqual(b);
    expect(a).toMatchObject({ status: 404 });
  });

  it('a model outside the plan does not exist when it is called, streamed or not, with any other field', async () => {
    for (const extra of [{}, { stream: true }, { n: 5, tools: [] }, { max_tokens: 10_000_000 }]) {
      const bodies = [hidden, unknown].map((model) => ({
        model,
        messages: [{ role: 'user', content: 'Hi' }],
        ...extra,
      }));
      const replies = await Promise.all(bodies.map((body) => gateway.complete(free, body)));
      const [a, b] = await Promise.all([hidden, unknown].map((id, i) => seen(replies[i] as Response, id)));
      expect(a).toEqual(b);
      expect(a).toMatchObject({ status: 404 });
    }
  });

  it.each([
    'Claude-Opus-5.5',
    'claude-opus-5.5 ',
    'claude-opus-5.5/',
    'x/claude-opus-5.5',
    'gpt-6-luna\u200b',
    '../v1/models',
    'a\nb',
  ])('a model outside the plan does not exist in other spellings too: %j', async (model) => {
    const body = { model, messages: [{ role: 'user', content: 'Hi' }] };
    await expectError(await gateway.complete(pro, body), { status: 404, code: 'model_not_found', param: 'model' });
  });

  it('a model outside the plan does not exist and its name is repeated without special characters, at most 100 characters long', async () => {
    const model = `\u0007${'é'.repeat(20)}${'m'.repeat(200)}`;
    const body = { model, messages: [{ role: 'user', content: 'Hi' }] };
    const { message } = await expectError(await gateway.complete(pro, body), {
      status: 404,
      code: 'model_not_found',
      param: 'model',
    });
    expect(message).toContain(`'${'m'.repeat(100)}'`);
  });

  it('a model outside the plan does not exist also if only the key does not include it', async () => {
    const narrow = await gateway.createUser({ plan: 'pro', models: ['grok-4.7', 'nova-2-lite'] });
    expect(((await get('/v1/models', {}, narrow)) as { id: string }[]).map(({ id }) => id)).toEqual([
      'grok-4.7',
      'nova-2-lite',
    ]);
    const body = { model: 'gpt-6-luna', messages: [{ role: 'user', content: 'Hi' }] };
    const notFound = { status: 404, code: 'model_not_found', param: 'model' };
    await expectError(await gateway.complete(narrow, body), notFound);
    await expectError(await gateway.get('/v1/models/gpt-6-luna', narrow.headers), notFound);
    expect((await gateway.complete(narrow, { ...body, model: 'nova-2-lite', max_tokens: 1 })).status).toBe(200);
  });

  it('a model outside the plan does not exist also if the key names a model outside its plan', async () => {
    const narrow = await gateway.createUser({ models: ['claude-opus-5.5'] });
    expect(await get('/v1/models', {}, narrow)).toEqual([]);
    expect((await gateway.get('/v1/models/claude-opus-5.5', narrow.headers)).status).toBe(404);
  });
});

describe('with its own catalog and default format', () => {
  let own: TestGateway;
  let member: TestUser;
  beforeAll(async () => {
    own = await TestGateway.start({
      env: { SIMULATOR: 'on' },
      config: { 'models.yaml': MODELS, 'gateway.yaml': 'server: { modelsFormat: list }' },
    });
    member = await own.createUser();
  });

  it('returns the list to plain clients, and the array on request', async () => {
    expect(await (await own.get('/v1/models', member.headers)).json()).toEqual(LIST);
    expect(await (await own.get('/v1/models?format=array', member.headers)).json()).toHaveLength(2);
  });

  it('returns all details of a model', async () => {
    const reported = {
      id: 'house-model',
      object: 'model',
      kind: 'chat',
      apis: ['chat.completions', 'responses', 'messages'],
      created: 1_767_225_600,
      owned_by: 'us',
      tier: 'free',
      display_name: 'House',
      description: 'Ours.',
      context_len: 8192,
      context_length: 8192,
      max_model_len: 8192,
      max_output_tokens: 512,
      modalities: { input: ['text', 'image'], output: ['text'] },
      capabilities: ['image_input', 'tools'],
      pricing: { currency: 'USD', unit: 'per million tokens', input: 0.1, cached_input: 0.025, output: 0.4 },
      simulated: true,
    };
    expect(await (await own.get('/v1/models/house-model', member.headers)).json()).toEqual(reported);
    const { data } = (await (await own.get('/v1/models', member.headers)).json()) as { data: object[] };
    expect(data[1]).toEqual(reported);
  });

  it.each([
    ['/v1/models/meta/llama-4:free'],
    ['/v1/models/meta%2Fllama-4:free'],
    ['/v1/models/meta%2fllama-4%3Afree'],
    ['/openai/v1/models/meta/llama-4:free'],
  ])('finds a model whose id contains a slash: %s', async (path) => {
    const reply = await own.get(path, member.headers);
    expect(await reply.json()).toMatchObject({ id: SLASHED, owned_by: 'openai', created: 0, capabilities: [] });
  });

  it.each(['/v1/models/meta', '/v1/models/meta/', '/v1/models/meta/llama-4:free/x', '/v1/models/llama-4:free'])(
    'finds no model at parts of such an id: %s',
    async (path) => {
      const reply = await own.get(path, member.headers);
      await expectError(reply, { status: 404, code: 'model_not_found', param: 'model' });
    },
  );

  it('serves it', async () => {
    const body = { model: SLASHED, messages: [{ role: 'user', content: 'Hi' }], max_tokens: 1 };
    expect(await (await own.complete(member, body)).json()).toMatchObject({ model: SLASHED });
  });
});
