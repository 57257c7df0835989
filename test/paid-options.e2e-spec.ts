import { describe, expect, it } from '@jest/globals';
import { GATEWAY } from '../src/audit/audit.types.js';
import { UserLimitsService } from '../src/limits/settings/limit-settings.service.js';
import { type RawUsage, USAGE } from './support/chat-answers.js';
import { ChatTest, QUESTION } from './support/chat-test.js';
import { json, sse } from './support/script.js';

const MODELS = `
- { id: plain, tier: free, displayName: M, description: D, contextLength: 100000, maxOutputTokens: 1000,
    price: { inputUsdPerMTok: 1, cachedInputUsdPerMTok: 0.5, outputUsdPerMTok: 10 }, targets: [{ upstream: lax, model: m }] }
- { id: priced, tier: free, displayName: M, description: D, contextLength: 100000, maxOutputTokens: 1000,
    price: { inputUsdPerMTok: 1, cachedInputUsdPerMTok: 0.5, outputUsdPerMTok: 10, cacheWrite5mUsdPerMTok: 3 },
    serviceTiers: { priority: 2.5, flex: 0.5, fast: 2, ultrafast: 4 }, hostedTools: { web_search: 0.01 }, providerFiles: true,
    targets: [{ upstream: lax, model: m }] }
- { id: sounding, tier: free, displayName: M, description: D, contextLength: 100000,
    price: { inputUsdPerMTok: 1, outputUsdPerMTok: 10, audioInputUsdPerMTok: 40, audioOutputUsdPerMTok: 80 }, targets: [{ upstream: lax, model: m }] }
- { id: inner, tier: free, displayName: M, description: D, contextLength: 100000,
    price: { inputUsdPerMTok: 1, outputUsdPerMTok: 10, serviceTiers: { priority: 3 } }, targets: [{ upstream: lax, model: m }] }
- { id: stepped, tier: free, displayName: M, description: D, contextLength: 100000, maxOutputTokens: 1000,
    price: { inputUsdPerMTok: 1, outputUsdPerMTok: 10, cacheWriteUsdPerMTok: { 30m: 1.25, 12h: 2.5 },
      above: [{ inputTokens: 10000, inputUsdPerMTok: 2, outputUsdPerMTok: 15, cacheWriteUsdPerMTok: { 30m: 2.5, 12h: 5 } }] },
    serviceTiers: { priority: 2 }, targets: [{ upstream: openai, model: m }] }
- { id: ending, tier: free, displayName: M, description: D, contextLength: 100000, deprecated: 2030-01-02, replacedBy: plain,
    price: [{ inputUsdPerMTok: 7, outputUsdPerMTok: 7, until: 2020-01-01 }, { inputUsdPerMTok: 1, outputUsdPerMTok: 10, until: 2096-12-31 },
      { inputUsdPerMTok: 9, outputUsdPerMTok: 9 }], targets: [{ upstream: lax, model: m }] }
- { id: vectors, tier: free, displayName: M, description: D, kind: embedding, dimensions: 2, maxInputTokens: 8000, contextLength: 8000,
    price: { inputUsdPerMTok: 1, outputUsdPerMTok: 0 }, targets: [{ upstream: lax, model: m }] }
- { id: claude-tokens, tier: free, displayName: M, description: D, contextLength: 100000, maxOutputTokens: 1000,
    price: { inputUsdPerMTok: 1, outputUsdPerMTok: 10 }, targets: [{ upstream: anthropic, model: m }] }
- { id: elsewhere, tier: free, displayName: M, description: D, contextLength: 100000, maxOutputTokens: 1000,
    price: { inputUsdPerMTok: 1, outputUsdPerMTok: 10 }, serviceTiers: { flex: 0.5 }, targets: [{ upstream: router, model: m }] }
- { id: free, tier: free, displayName: M, description: D, contextLength: 100000, price: free, targets: [{ upstream: lax, model: m }] }
- { id: claude, tier: free, displayName: M, description: D, contextLength: 100000, maxOutputTokens: 1000,
    price: { inputUsdPerMTok: 1, cachedInputUsdPerMTok: 0.1, outputUsdPerMTok: 10 }, hostedTools: { web_search: 0.01 },
    targets: [{ upstream: anthropic, model: m }] }`;

const chat = await ChatTest.start({
  env: { LAX_API_KEY: 'k', ROUTER_API_KEY: 'k', OPENAI_API_KEY: 'k', ANTHROPIC_API_KEY: 'k' },
  catalog: {
    models: MODELS,
    upstreams: (baseUrl) => `
lax: { protocol: openai-compatible, baseUrl: "${baseUrl}" }
router: { protocol: openrouter, baseUrl: "${baseUrl}" }
openai: { protocol: openai, baseUrl: "${baseUrl}" }
anthropic: { protocol: anthropic, baseUrl: "${baseUrl}" }`,
  },
});

type Usage = RawUsage & {
  prompt_tokens_details?: { cached_tokens: number; cache_write_tokens?: number };
  server_tool_use?: object;
};

function answer(usage: Partial<Usage> = {}) {
  const choices = [{ index: 0, message: { role: 'assistant', content: 'Hi.', refusal: null }, finish_reason: 'stop' }];
  const envelope = { id: 'a', object: 'chat.completion', created: 1, model: 'm' };
  return json(200, { ...envelope, choices, usage: { ...USAGE, ...usage } });
}

function post(path: string, body: object, { headers } = chat.pro): Promise<Response> {
  return fetch(`${chat.gateway.url}/v1/${path}`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json', 'anthropic-version': '2023-06-01' },
    body: JSON.stringify(body),
  });
}

async function charged(fields: object, script = answer()) {
  chat.upstream.enqueue(script);
  const response = await chat.ask(fields);
  expect([response.status, await response.text()]).toEqual([200, expect.any(String)]);
  const row = await chat.row(response);
  return { cost: Number(row.cost_nanodollars), charge: row.charge };
}

const heard = {
  role: 'user',
  content: [{ type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } }],
};
const hidden = { type: 'text', text: 'a', uuid: 'b', audio_url: { url: 'https://a.example/b' } };
const seen = {
  role: 'user',
  content: [{ type: 'file', file: { file_data: 'data:video/mp4;base64,AAAA' } }],
};
const LIST = 11 * 1000 + 3 * 10_000;

describe('an option that costs more, on a model that has no price for it', () => {
  it.each<[string, object, string]>([
    ['a service tier', { service_tier: 'priority' }, 'service_tier'],
    ['a fast service tier', { service_tier: 'ultrafast' }, 'service_tier'],
    ['an unknown service tier', { service_tier: 'turbo' }, 'service_tier'],
    ['a faster speed', { speed: 'fast' }, 'speed'],
    ['a place of inference', { inference_geo: 'us' }, 'inference_geo'],
    ['a picture in the answer', { modalities: ['text', 'image'] }, 'modalities'],
    ['web search', { web_search_options: {} }, 'web_search_options'],
    ['live search', { search_parameters: { mode: 'auto' } }, 'search_parameters'],
    ['a plugin', { plugins: [{ id: 'web' }] }, 'plugins[0]'],
    ['sound', { messages: [heard] }, 'messages[0].content[0]'],
    ['sound in a text part', { messages: [{ role: 'user', content: [hidden] }] }, 'messages[0].content[0]'],
    ['a video, which has sound', { messages: [seen] }, 'messages[0].content[0]'],
    [
      'sound of an earlier answer',
      { messages: [{ role: 'assistant', audio: { id: 'audio_1' } }] },
      'messages[0].audio',
    ],
    ['a spoken answer', { modalities: ['text', 'audio'], audio: { voice: 'alloy', format: 'wav' } }, 'modalities'],
  ])('is a 400 that names it: %s', async (_what, fields, param) => {
    const before = chat.upstream.requests.length;
    const response = await chat.ask({ model: 'plain', ...fields });
    expect(response.status).toBe(400);
    const { error } = (await response.json()) as { error: { message: string } };
    expect(error).toMatchObject({ type: 'invalid_request_error', code: 'unsupported_parameter', param });
    expect(chat.upstream.requests).toHaveLength(before);
  });

  it.each<[path: string, param: string, model: string, fields: object]>([
    ['completions', 'service_tier', 'plain', { prompt: 'Hi', service_tier: 'priority' }],
    ['completions', 'plugins[0]', 'plain', { prompt: 'Hi', plugins: [{ id: 'web' }] }],
    ['embeddings', 'service_tier', 'vectors', { input: 'Hi', service_tier: 'priority' }],
    ['responses', 'web_search_options', 'stepped', { input: 'Hi', web_search_options: {} }],
    ['responses', 'modalities', 'stepped', { input: 'Hi', modalities: ['image'] }],
    ['messages', 'plugins[0]', 'claude-tokens', { max_tokens: 5, plugins: [{ id: 'web' }] }],
  ])('is a 400 that names it at %s: %s', async (path, param, model, fields) => {
    const before = chat.upstream.requests.length;
    const response = await post(path, { ...QUESTION, model, ...fields });
    expect([response.status, await response.text()]).toEqual([400, expect.stringContaining(`'${param}'`)]);
    expect(chat.upstream.requests).toHaveLength(before);
  });

  it.each(['auto', 'default', 'standard_only'])('does not include the standard tier %s', async (tier) => {
    expect(await charged({ model: 'plain', service_tier: tier })).toEqual({ cost: LIST, charge: null });
  });

  it('is accepted where nothing is charged', async () => {
    const fields = { model: 'free', service_tier: 'priority', search_parameters: { mode: 'on' } };
    expect(await charged(fields)).toEqual({ cost: 0, charge: null });
  });
});

describe('a server of unknown make', () => {
  const lengths = { n_predict: 9, max_new_tokens: 9, num_return_sequences: 9, use_beam_search: true, best_of: '9' };

  it.each([
    ['plain', Object.keys(lengths).join(', ')],
    ['free', null],
  ])('gets other names of limits only for models without a price: %s', async (model, ignored) => {
    chat.upstream.enqueue(answer());
    const response = await chat.ask({ model, ...lengths, top_k: 5 });
    expect([response.status, response.headers.get('x-gateway-ignored-parameters')]).toEqual([200, ignored]);
    const sent = JSON.parse(String(chat.upstream.requests.at(-1)?.body));
    expect(sent).toMatchObject({ top_k: 5, ...(ignored === null && lengths) });
    expect('n_predict' in sent).toBe(ignored === null);
  });
});

describe('a field of the older APIs that only some servers read', () => {
  it.each([
    ['completions', 'messages', { model: 'plain', prompt: 'Hi', max_tokens: 5 }],
    ['completions', 'prompts', { model: 'plain', prompt: 'Hi', max_tokens: 5 }],
    ['embeddings', 'messages', { model: 'vectors', input: 'Hi' }],
    ['embeddings', 'inputs', { model: 'vectors', input: 'Hi' }],
  ])('is reserved as a part of the prompt at %s: %s', async (path, field, request) => {
    const user = await chat.gateway.createUser({ limits: { budgetTotalNanodollars: 1_000_000_000n } });
    chat.upstream.enqueue(json(503, {}));
    const response = await post(path, { ...request, [field]: [{ role: 'user', content: 'x'.repeat(20_000) }] }, user);
    expect(Number((await chat.row(response)).reserved_nanodollars)).toBeGreaterThan(20_000 * 1000);
  });
});

describe('an option with a price', () => {
  it('is charged at that price: sound in the prompt and in the answer', async () => {
    const usage = {
      ...{ prompt_tokens: 1000, completion_tokens: 500, total_tokens: 1500 },
      ...{
        prompt_tokens_details: { cached_tokens: 0, audio_tokens: 900 },
        completion_tokens_details: { reasoning_tokens: 0, audio_tokens: 400 },
      },
    };
    const spoken = { modalities: ['text', 'audio'], audio: { voice: 'alloy', format: 'wav' } };
    const { cost, charge } = await charged({ model: 'sounding', messages: [heard], ...spoken }, answer(usage));
    expect(cost).toBe(100 * 1000 + 900 * 40_000 + 100 * 10_000 + 400 * 80_000);
    expect(charge).toEqual({ audioInput: 900, audioOutput: 400 });
  });

  it('is charged at that price: sound that the provider does not tell from text', async () => {
    const usage = { prompt_tokens: 1000, completion_tokens: 500, total_tokens: 1500 };
    const data = Buffer.alloc(100_000).toString('base64');
    const messages = [{ role: 'user', content: [{ type: 'input_audio', input_audio: { data, format: 'mp3' } }] }];
    const { cost, charge } = await charged({ model: 'sounding', messages }, answer(usage));
    const sound = (100_000 / 4000) * 32 + 1;
    expect(charge).toEqual({ audioInput: sound });
    expect(cost).toBe((1000 - sound) * 1000 + sound * 40_000 + 500 * 10_000);
  });

  it.each([
    ['priority', 2.5],
    ['flex', 0.5],
    ['fast', 2],
    ['ultrafast', 4],
  ])('is charged by its factor: the tier %s', async (serviceTier, factor) => {
    const { cost, charge } = await charged({ model: 'priced', service_tier: serviceTier });
    expect([cost, charge]).toEqual([LIST * factor, { serviceTier, factor }]);
  });

  it('is not charged where the upstream does not receive it', async () => {
    const others = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`other_${at}`, 1]));
    const { cost } = await charged({ model: 'elsewhere', ...others, service_tier: 'flex' });
    expect(chat.sent()).not.toHaveProperty('service_tier');
    expect(cost).toBe(LIST);
  });

  it('can be set within the price', async () => {
    expect(await charged({ model: 'inner', service_tier: 'priority' })).toMatchObject({ cost: LIST * 3 });
  });

  it('is charged for each call that the provider reports, otherwise once', async () => {
    const fields = { model: 'priced', web_search_options: {} };
    expect(await charged(fields)).toEqual({ cost: LIST + 10_000_000, charge: { hostedTools: { web_search: 1 } } });
    const three = answer({ server_tool_use: { web_search_requests: 3 } });
    expect(await charged(fields, three)).toMatchObject({ cost: LIST + 30_000_000 });
    const none = answer({ server_tool_use: { web_search_requests: 0 } });
    expect(await charged(fields, none)).toEqual({ cost: LIST, charge: null });
  });
});

describe('input written to a provider’s cache', () => {
  const usage = (cache_creation: object) => ({
    type: 'message',
    role: 'assistant',
    content: [{ type: 'text', text: 'Hi.' }],
    stop_reason: 'end_turn',
    usage: {
      input_tokens: 100,
      cache_read_input_tokens: 1000,
      cache_creation_input_tokens: 3000,
      output_tokens: 2,
      cache_creation,
    },
  });

  it('is charged at 1.25 times the input price for five minutes and twice for an hour', async () => {
    const answered = json(200, usage({ ephemeral_5m_input_tokens: 1000, ephemeral_1h_input_tokens: 2000 }));
    expect(await charged({ model: 'claude', max_tokens: 100 }, answered)).toEqual({
      cost: 100 * 1000 + 1000 * 100 + 1000 * 1250 + 2000 * 2000 + 2 * 10_000,
      charge: { cacheWrite5m: 1000, cacheWrite1h: 2000 },
    });
  });

  it('is charged at the price of the model if it has one', async () => {
    const details = { cached_tokens: 0, cache_write_tokens: 400 };
    const tokens = { prompt_tokens: 1000, completion_tokens: 1, total_tokens: 1001, prompt_tokens_details: details };
    const { cost } = await charged({ model: 'priced' }, answer(tokens));
    expect(cost).toBe(600 * 1000 + 400 * 3000 + 10_000);
  });

  it('is reserved if the request asks for it', async () => {
    const users = chat.gateway.services.get(UserLimitsService);
    await users.set(chat.pro.id, { budgetTotalNanodollars: 10_000_000_000n }, GATEWAY);
    const reserved = async (mark: object) => {
      const content = [{ type: 'text', text: 'x'.repeat(20_000), ...mark }];
      chat.upstream.enqueue(json(200, usage({})));
      const response = await chat.ask({ model: 'claude', max_tokens: 1, messages: [{ role: 'user', content }] });
      return Number((await chat.row(response)).reserved_nanodollars);
    };
    const plain = await reserved({});
    const short = await reserved({ cache_control: { type: 'ephemeral' } });
    const long = await reserved({ cache_control: { type: 'ephemeral', ttl: '1h' } });
    expect(short / plain).toBeGreaterThan(1.2);
    expect(long / plain).toBeGreaterThan(1.9);
  });
});

describe('a price with steps', () => {
  const answered = (prompt: number, details: object = {}, more: object = {}) =>
    json(200, {
      ...{ id: 'a', object: 'chat.completion', created: 1, model: 'm', ...more },
      choices: [{ index: 0, message: { role: 'assistant', content: 'Hi.' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: prompt, completion_tokens: 2, total_tokens: prompt + 2, prompt_tokens_details: details },
    });

  it('charges all tokens by the length of the prompt that the provider reports', async () => {
    expect(await charged({ model: 'stepped' }, answered(10_000))).toEqual({
      cost: 10_000 * 1000 + 2 * 10_000,
      charge: null,
    });
    expect(await charged({ model: 'stepped' }, answered(10_001))).toMatchObject({
      cost: 10_001 * 2000 + 2 * 15_000,
      charge: { aboveInputTokens: 10_000 },
    });
  });

  it('reserves the highest step that the prompt can reach', async () => {
    const users = chat.gateway.services.get(UserLimitsService);
    await users.set(chat.pro.id, { budgetTotalNanodollars: 10_000_000_000n }, GATEWAY);
    const reserved = async (length: number) => {
      const messages = [{ role: 'user', content: 'x'.repeat(length) }];
      chat.upstream.enqueue(answered(5));
      const response = await chat.ask({ model: 'stepped', max_completion_tokens: 100, messages });
      return Number((await chat.row(response)).reserved_nanodollars);
    };
    const [short, long] = [await reserved(9000), await reserved(10_000)];
    expect(short).toBeGreaterThan(9000 * 1250 + 100 * 10_000);
    expect(long).toBeGreaterThan(10_000 * 2500 + 100 * 15_000);
    expect(long / short).toBeGreaterThan(2);
  });

  it('charges cache writes by the lifetime that was requested', async () => {
    const written = { cached_tokens: 0, cache_write_tokens: 400 };
    expect(await charged({ model: 'stepped' }, answered(1000, written))).toEqual({
      cost: 600 * 1000 + 400 * 1250 + 2 * 10_000,
      charge: { cacheWrite30m: 400 },
    });
    const fields = { model: 'stepped', prompt_cache_options: { ttl: '12h' } };
    expect(await charged(fields, answered(1000, written))).toEqual({
      cost: 600 * 1000 + 400 * 2500 + 2 * 10_000,
      charge: { cacheWrite12h: 400 },
    });
  });

  it.each([false, true])(
    'charges the tier that served, and notes the model that answered (stream: %s)',
    async (stream) => {
      const more = { model: 'other-2026', service_tier: 'default' };
      const usage = { prompt_tokens: 100, completion_tokens: 2, total_tokens: 102 };
      const common = { id: 'a', object: 'chat.completion.chunk', created: 1, ...more };
      const events = [
        { ...common, choices: [{ index: 0, delta: { role: 'assistant', content: 'Hi.' }, finish_reason: 'stop' }] },
        { ...common, choices: [], usage },
      ];
      chat.upstream.enqueue(stream ? sse(events) : answered(100, {}, more));
      const response = await chat.ask({ model: 'stepped', service_tier: 'priority', stream });
      await response.text();
      const { cost_nanodollars: cost, charge, attempts } = await chat.row(response);
      expect({ cost: Number(cost), charge, attempts }).toMatchObject({
        cost: 100 * 1000 + 2 * 10_000,
        charge: { servedTier: 'default' },
        attempts: [{ upstreamModel: 'm', answeredModel: 'other-2026' }],
      });
    },
  );
});

describe('a model whose end is known', () => {
  it('has the price of the current period, and says so', async () => {
    chat.upstream.enqueue(answer());
    const response = await chat.ask({ model: 'ending' });
    expect(Number((await chat.row(response)).cost_nanodollars)).toBe(LIST);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      deprecation: `@${Date.UTC(2030, 0, 2) / 1000}`,
      sunset: 'Wed, 02 Jan 2030 00:00:00 GMT',
      link: '</v1/models/plain>; rel="successor-version"',
    });
    const listed = await fetch(`${chat.gateway.url}/v1/models/ending`, { headers: chat.pro.headers });
    expect(await listed.json()).toMatchObject({
      deprecated: '2030-01-02',
      replaced_by: 'plain',
      pricing: { input: 1, output: 10, until: '2097-01-01T00:00:00.000Z' },
    });
  });

  it('shows the steps and the cache writes of its price', async () => {
    const listed = await fetch(`${chat.gateway.url}/v1/models/stepped`, { headers: chat.pro.headers });
    expect(await listed.json()).toMatchObject({
      pricing: {
        ...{ input: 1, cached_input: 1, output: 10, cache_write: { '30m': 1.25, '12h': 2.5 } },
        above: [{ input_tokens: 10_000, input: 2, output: 15, cache_write: { '30m': 2.5, '12h': 5 } }],
      },
    });
  });
});

describe('a file in the account at the provider', () => {
  const messages = [{ role: 'user', content: [{ type: 'file', file: { file_id: 'file-1' } }] }];

  it('is refused by name, unless the model allows it', async () => {
    const response = await chat.ask({ model: 'plain', messages });
    expect([response.status, await response.json()]).toEqual([
      400,
      {
        error: expect.objectContaining({ code: 'unsupported_parameter', param: 'messages[0].content[0].file.file_id' }),
      },
    ]);
    await charged({ model: 'priced', messages });
    expect(JSON.stringify(chat.sent())).toContain('file-1');
  });

  it('is found in parts of other formats, and in a URL', async () => {
    for (const part of [
      { type: 'document', source: { type: 'file', file_id: 'file-1' } },
      { type: 'image_url', image_url: { url: 'https://generativelanguage.googleapis.com/v1beta/files/abc' } },
      { type: 'video_url', video_url: { url: 'gs://bucket/secret.mp4' } },
    ]) {
      const response = await chat.ask({ model: 'plain', messages: [{ role: 'user', content: [part] }] });
      expect(response.status).toBe(400);
    }
    const images = [{ image_url: { url: 'http://generativelanguage.googleapis.com:80/v1beta/files/abc' } }];
    const response = await chat.ask({ model: 'plain', messages: [{ role: 'assistant', content: 'Here.', images }] });
    expect([response.status, await response.text()]).toEqual([400, expect.stringContaining('messages[0].images[0]')]);
  });
});
