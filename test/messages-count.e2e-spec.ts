import Anthropic from '@anthropic-ai/sdk';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { GATEWAY } from '../src/audit/audit.types.js';
import { ApiKeysService } from '../src/auth/api-keys.service.js';
import { ChatTest } from './support/chat-test.js';
import { ProviderGateway } from './support/provider-gateway.js';
import { json } from './support/script.js';
import { TestGateway } from './support/test-gateway.js';

const question = { model: 'gpt-oss-20b', messages: [{ role: 'user' as const, content: 'Say hello to the world.' }] };

let chat: ChatTest;
let client: Anthropic;
beforeAll(async () => {
  chat = await ChatTest.start();
  client = new Anthropic({ baseURL: chat.gateway.url, apiKey: chat.pro.key.key, maxRetries: 0 });
});

describe('count_tokens', () => {
  it('estimates if the provider does not count, without a call or a row', async () => {
    const { data, response } = await client.messages.countTokens(question).withResponse();
    expect(data.input_tokens).toBeGreaterThan(5);
    expect(data.input_tokens).toBeLessThan(30);
    expect(response.headers.get('request-id')).toMatch(/^req_/);
    const longer = await client.messages.countTokens({ ...question, system: 'Be kind. '.repeat(100) });
    expect(longer.input_tokens).toBeGreaterThan(data.input_tokens + 200);
    expect(chat.upstream.requests).toHaveLength(0);
    expect(await chat.gateway.calls()).toEqual([]);
  });

  it('estimates by the factor of the model’s tokenizer', async () => {
    const text = 'Say hello to the world. '.repeat(100);
    const dense = await TestGateway.start({
      config: {
        'models.yaml': [1, 1.3]
          .map(
            (factor) =>
              `- { id: m${factor}, tier: free, displayName: M, description: D, contextLength: 100000, tokenFactor: ${factor}, price: free, targets: [{ upstream: u, model: m }] }`,
          )
          .join('\n'),
        'upstreams.yaml': 'u: { protocol: openai-compatible, baseUrl: "http://127.0.0.1:9", auth: none }',
      },
    });
    const { key } = (await dense.createUser()).key;
    const counting = new Anthropic({ baseURL: dense.url, apiKey: key, maxRetries: 0 });
    const messages = [{ role: 'user' as const, content: text }];
    const { input_tokens: plain } = await counting.messages.countTokens({ model: 'm1', messages });
    const { input_tokens: more } = await counting.messages.countTokens({ model: 'm1.3', messages });
    expect(more / plain).toBeCloseTo(1.3, 1);
  });

  it('counts as a request of the rate', async () => {
    const user = await chat.gateway.createUser({ plan: 'pro', limits: { requestsPerMinute: 2 } });
    const limited = new Anthropic({ baseURL: chat.gateway.url, apiKey: user.key.key, maxRetries: 0 });
    await limited.messages.countTokens(question);
    await limited.messages.countTokens(question);
    await expect(limited.messages.countTokens(question)).rejects.toMatchObject({
      status: 429,
      type: 'rate_limit_error',
    });
  });

  it('names invalid fields and unknown models', async () => {
    await expect(client.messages.countTokens({ ...question, messages: [] })).rejects.toMatchObject({
      status: 400,
      type: 'invalid_request_error',
    });
    await expect(client.messages.countTokens({ ...question, model: 'none' })).rejects.toMatchObject({
      status: 404,
      type: 'not_found_error',
    });
  });
});

describe('count_tokens of Claude', () => {
  const requested = { ...question, model: 'claude-sonnet-5.5', system: 'Be kind.' };
  const forwarded = { ...requested, model: 'claude-sonnet-5-5' };
  let claude: ProviderGateway;
  let counting: Anthropic;
  beforeAll(async () => {
    claude = await ProviderGateway.start('ANTHROPIC', 'sk-ant-1');
    counting = new Anthropic({ baseURL: claude.gateway.url, apiKey: claude.user.key.key, maxRetries: 0 });
  });

  it('asks the provider at most 120 times a minute for a user with any number of keys, and estimates then', async () => {
    const user = await claude.gateway.createUser({ plan: 'pro' });
    const keys = claude.gateway.services.get(ApiKeysService);
    const other = await keys.create({ name: 'other', userId: user.id }, GATEWAY);
    const busy = [user.key, other].map(
      ({ key }) => new Anthropic({ baseURL: claude.gateway.url, apiKey: key, maxRetries: 0 }),
    );
    const before = claude.upstream.requests.length;
    claude.upstream.always(() => json(200, { input_tokens: 4321 }));
    const counts: number[] = [];
    for (let count = 0; count < 125; count++) {
      const counted = await busy[count % 2]?.messages.countTokens(requested);
      counts.push(counted?.input_tokens ?? 0);
    }
    expect(claude.upstream.requests.length - before).toBe(120);
    expect(counts.slice(0, 120)).toEqual(Array(120).fill(4321));
    expect(Math.max(...counts.slice(120))).toBeLessThan(100);
  });

  it('is counted by Anthropic', async () => {
    claude.upstream.enqueue(json(200, { input_tokens: 4321 }));
    expect(await counting.messages.countTokens(requested)).toEqual({ input_tokens: 4321 });
    const sent = claude.upstream.requests.at(-1);
    expect(sent?.path).toBe('/v1/messages/count_tokens');
    expect(sent?.headers).toMatchObject({
      'x-api-key': 'sk-ant-1',
      'anthropic-version': expect.stringMatching(/^20\d\d-/),
    });
    expect(sent?.json()).toEqual(forwarded);
    expect(await claude.gateway.calls()).toEqual([]);
  });

  it('is estimated while Anthropic cannot count, and refused like Anthropic refuses it', async () => {
    claude.upstream.enqueue(json(529, { type: 'error', error: { type: 'overloaded_error', message: 'Busy' } }));
    expect((await counting.messages.countTokens(requested)).input_tokens).toBeLessThan(100);
    const refused = { type: 'error', error: { type: 'invalid_request_error', message: 'messages: too odd' } };
    claude.upstream.enqueue(json(400, refused));
    await expect(counting.messages.countTokens(requested)).rejects.toMatchObject({
      status: 400,
      apiMessage: 'messages: too odd',
    });
  });

  it('is repeated without optional fields that Anthropic refuses, and later counts go without them', async () => {
    const refused = {
      type: 'error',
      error: { type: 'invalid_request_error', message: 'context_management: Extra inputs are not permitted' },
    };
    const withField = { ...requested, context_management: { edits: [] } };
    claude.upstream.enqueue(json(400, refused)).enqueue(json(200, { input_tokens: 77 }));
    expect(await counting.messages.countTokens(withField)).toEqual({ input_tokens: 77 });
    expect(claude.upstream.requests.slice(-2).map((sent) => sent.json())).toEqual([
      { ...forwarded, context_management: { edits: [] } },
      forwarded,
    ]);
    claude.upstream.enqueue(json(200, { input_tokens: 78 }));
    expect(await counting.messages.countTokens(withField)).toEqual({ input_tokens: 78 });
    expect(claude.upstream.requests.at(-1)?.json()).toEqual(forwarded);
  });
});
