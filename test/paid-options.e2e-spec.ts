import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { GATEWAY } from '../src/audit/audit.types.js';
import { UserLimitsService } from '../src/limits/settings/user-limits.service.js';
import { type RawUsage, USAGE } from './support/chat-answers.js';
import { ChatTest } from './support/chat-test.js';
import { json } from './support/script.js';

const MODELS = `
- { id: plain, tier: free, displayName: M, description: D, contextLength: 100000, maxOutputTokens: 1000,
    price: { inputUsdPerMTok: 1, cachedInputUsdPerMTok: 0.5, outputUsdPerMTok: 10 }, targets: [{ upstream: lax, model: m }] }
- { id: priced, tier: free, displayName: M, description: D, contextLength: 100000, maxOutputTokens: 1000,
    price: { inputUsdPerMTok: 1, cachedInputUsdPerMTok: 0.5, outputUsdPerMTok: 10, cacheWrite5mUsdPerMTok: 3 },
    serviceTiers: { priority: 2.5, flex: 0.5 }, hostedTools: { web_search: 0.01 }, providerFiles: true,
    targets: [{ upstream: lax, model: m }] }
- { id: inner, tier: free, displayName: M, description: D, contextLength: 100000,
    price: { inputUsdPerMTok: 1, outputUsdPerMTok: 10, serviceTiers: { priority: 3 } }, targets: [{ upstream: lax, model: m }] }
- { id: free, tier: free, displayName: M, description: D, contextLength: 100000, price: free, targets: [{ upstream: lax, model: m }] }
- { id: claude, tier: free, displayName: M, description: D, contextLength: 100000, maxOutputTokens: 1000,
    price: { inputUsdPerMTok: 1, cachedInputUsdPerMTok: 0.1, outputUsdPerMTok: 10 }, hostedTools: { web_search: 0.01 },
    targets: [{ upstream: anthropic, model: m }] }`;

let chat: ChatTest;
beforeAll(async () => {
  chat = await ChatTest.start({
    env: { LAX_API_KEY: 'k', ANTHROPIC_API_KEY: 'k' },
    catalog: {
      models: MODELS,
      upstreams: (baseUrl) => `
lax: { protocol: openai-compatible, baseUrl: "${baseUrl}" }
anthropic: { protocol: anthropic, baseUrl: "${baseUrl}" }`,
    },
  });
});
afterAll(() => chat?.stop());

type Usage = RawUsage & {
  prompt_tokens_details?: { cached_tokens: number; cache_write_tokens?: number };
  server_tool_use?: object;
};

function answer(usage: Partial<Usage> = {}) {
  const choices = [{ index: 0, message: { role: 'assistant', content: 'Hi.', refusal: null }, finish_reason: 'stop' }];
  return json(200, {
    id: 'a',
    object: 'chat.completion',
    created: 1,
    model: 'm',
    choices,
    usage: { ...USAGE, ...usage },
  });
}

async function charged(fields: object, script = answer()) {
  chat.upstream.enqueue(script);
  const response = await chat.ask(fields);
  expect([response.status, await response.text()]).toEqual([200, expect.any(String)]);
  const row = await chat.row(response);
  return { cost: Number(row.cost_nanodollars), charge: row.charge };
}

const LIST = 11 * 1000 + 3 * 10_000;

describe('an option that costs more, on a model that has no price for it', () => {
  it.each<[string, object, string]>([
    ['a service tier', { service_tier: 'priority' }, 'service_tier'],
    ['an unknown service tier', { service_tier: 'turbo' }, 'service_tier'],
    ['a faster speed', { speed: 'fast' }, 'speed'],
    ['a place of inference', { inference_geo: 'us' }, 'inference_geo'],
    ['web search', { web_search_options: {} }, 'web_search_options'],
    ['live search', { search_parameters: { mode: 'auto' } }, 'search_parameters'],
    ['a plugin', { plugins: [{ id: 'web' }] }, 'plugins[0]'],
  ])('is a 400 that names it: %s', async (_what, fields, param) => {
    const before = chat.upstream.requests.length;
    const response = await chat.ask({ model: 'plain', ...fields });
    expect(response.status).toBe(400);
    const { error } = (await response.json()) as { error: { message: string } };
    expect(error).toMatchObject({ type: 'invalid_request_error', code: 'unsupported_parameter', param });
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

describe('an option with a price', () => {
  it.each([
    ['priority', 2.5],
    ['flex', 0.5],
  ])('is charged by its factor: the tier %s', async (serviceTier, factor) => {
    const { cost, charge } = await charged({ model: 'priced', service_tier: serviceTier });
    expect([cost, charge]).toEqual([LIST * factor, { serviceTier, factor }]);
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
  });
});
