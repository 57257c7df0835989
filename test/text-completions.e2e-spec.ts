import { beforeAll, describe, expect, it } from '@jest/globals';
import OpenAI from 'openai';
import { refusal } from './support/chat-answers.js';
import { expectError } from './support/error-reply.js';
import { RoutingTest } from './support/routing-test.js';
import { json, sse } from './support/script.js';

const at = (upstream: string) => `targets: [{ upstream: ${upstream}, model: m }]`;
const PRICE = 'price: { inputUsdPerMTok: 10, outputUsdPerMTok: 20 }';
const USAGE = { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 };

const choice = (text: string, finish: string | null = null, index = 0) => ({
  text,
  index,
  logprobs: null,
  finish_reason: finish,
});
const completion = (...choices: object[]) =>
  json(200, { id: 'cmpl-up', object: 'text_completion', created: 1, model: 'm', choices, usage: USAGE });

describe('POST /v1/completions', () => {
  let chat: RoutingTest;
  beforeAll(async () => {
    chat = await RoutingTest.start({
      settings: 'retry: { attempts: 1 }',
      models: {
        instruct: `${at('a')}, ${PRICE}, aliases: [gpt-3.5-turbo-instruct]`,
        tiered: `${at('a')}, ${PRICE}, serviceTiers: { priority: 2.5 }, hostedTools: { web_search: 0.01 }`,
        both: 'targets: [{ upstream: a, model: m }, { upstream: b, model: m, priority: 2 }]',
        mixed: 'targets: [{ upstream: claude, model: m }, { upstream: b, model: m, priority: 2 }]',
        claude: at('claude'),
        codestral: at('mistral'),
        local: `${at('ollama')}, ${PRICE}`,
        unpriced: at('ollama'),
      },
      upstreams: {
        a: ['a'],
        b: ['b'],
        claude: ['c', 'protocol: anthropic'],
        mistral: ['c', 'protocol: mistral'],
        ollama: ['c', 'protocol: ollama'],
      },
    });
  });

  const client = () => new OpenAI({ apiKey: chat.user.key.key, baseURL: `${chat.gateway.url}/v1`, maxRetries: 0 });
  const post = (body: object) =>
    fetch(`${chat.gateway.url}/v1/completions`, {
      method: 'POST',
      headers: { ...chat.user.headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });

  it('is understood by the OpenAI SDK, and is written to the ledger like every call', async () => {
    chat.a.enqueue(completion(choice('return a', 'stop')));
    const { data, response } = await client()
      .completions.create({
        model: 'gpt-3.5-turbo-instruct',
        prompt: 'def a():',
        suffix: '\n',
        max_tokens: 30,
        stop: ['x'],
      })
      .withResponse();
    expect(data).toMatchObject({
      id: expect.stringMatching(/^cmpl-/),
      object: 'text_completion',
      model: 'gpt-3.5-turbo-instruct',
      choices: [choice('return a', 'stop')],
      usage: USAGE,
    });
    expect(chat.a.requests.at(-1)?.path).toBe('/v1/completions');
    expect(chat.a.requests.at(-1)?.json()).toEqual({
      model: 'm',
      prompt: 'def a():',
      suffix: '\n',
      max_tokens: 30,
      stop: ['x'],
    });
    expect(await chat.row(response)).toMatchObject({
      model: 'instruct',
      api: 'completions',
      status: 'settled',
      input_tokens: '5',
      output_tokens: '2',
      cost_nanodollars: '90000',
    });
  });

  it('streams, with usage only for a client that requests it', async () => {
    for (const asks of [true, false]) {
      const events = [{ choices: [choice('a')] }, { choices: [choice('b', 'length')] }, { choices: [], usage: USAGE }];
      chat.a.enqueue(sse(events));
      const stream = await client().completions.create({
        model: 'instruct',
        prompt: 'x',
        stream: true,
        ...(asks && { stream_options: { include_usage: true } }),
      });
      const chunks = [];
      for await (const chunk of stream) chunks.push(chunk);
      expect(chunks.flatMap(({ choices }) => choices)).toEqual([choice('a'), choice('b', 'length')]);
      expect(chunks.filter(({ usage }) => usage).map(({ usage }) => usage)).toEqual(asks ? [USAGE] : []);
      expect(new Set(chunks.map(({ model, object }) => `${model} ${object}`))).toEqual(
        new Set(['instruct text_completion']),
      );
      expect(chat.a.requests.at(-1)?.json()).toMatchObject({ max_tokens: 16, stream_options: { include_usage: true } });
    }
  });

  it.each([
    ['is sent as 1 to a server that may read it as no limit', 'local', 1],
    ['is sent to a server that takes it', 'instruct', 0],
    ['is sent where nothing is charged', 'unpriced', 0],
  ])('an output limit of 0 %s', async (_, model, sent) => {
    const target = model === 'instruct' ? chat.a : chat.c;
    target.enqueue(completion(choice('', 'length')));
    expect((await post({ model, prompt: 'x', max_tokens: 0 })).status).toBe(200);
    expect(target.requests.at(-1)?.json()).toMatchObject({ max_tokens: sent });
  });

  it.each([false, true])(
    'is charged for a dearer tier and searches, as it passes them on (stream: %s)',
    async (stream) => {
      const end = { id: 'cmpl-up', object: 'text_completion', choices: [choice('a', 'stop')], usage: USAGE };
      chat.a.enqueue(stream ? sse([end]) : completion(choice('a', 'stop')));
      const options = { service_tier: 'priority', web_search_options: {} };
      const response = await post({ model: 'tiered', prompt: 'a', stream, ...options });
      await response.text();
      expect(chat.a.requests.at(-1)?.json()).toMatchObject(options);
      const row = await chat.row(response);
      expect(row.charge).toEqual({ serviceTier: 'priority', factor: 2.5, hostedTools: { web_search: 1 } });
      expect(Number(row.cost_nanodollars)).toBe(2.5 * (5 * 10_000 + 2 * 20_000) + 10_000_000);
    },
  );

  it.each([false, true])('is charged the tier that served (stream: %s)', async (stream) => {
    const answer = { id: 'cmpl-up', service_tier: 'default', choices: [choice('a', 'stop')], usage: USAGE };
    chat.a.enqueue(stream ? sse([answer]) : json(200, answer));
    const response = await post({ model: 'tiered', prompt: 'a', stream, service_tier: 'priority' });
    await response.text();
    expect(await chat.row(response)).toMatchObject({ charge: { servedTier: 'default' }, cost_nanodollars: '90000' });
  });

  it('goes to the next target when one fails, and past targets that lack this API', async () => {
    chat.a.enqueue(refusal(503));
    chat.b.enqueue(completion(choice('b', 'stop')));
    const next = await post({ model: 'both', prompt: 'x' });
    expect([next.status, next.headers.get('x-gateway-attempts')]).toEqual([200, '2']);
    chat.b.enqueue(completion(choice('b', 'stop')));
    const past = await post({ model: 'mixed', prompt: 'x' });
    expect([past.status, past.headers.get('x-gateway-attempts')]).toEqual([200, '1']);
  });

  it('answers several prompts', async () => {
    chat.a.enqueue(completion(choice('a', 'stop', 0), choice('b', 'length', 1)));
    const reply = await post({ model: 'instruct', prompt: ['one', 'two'] });
    expect(await reply.json()).toMatchObject({ choices: [choice('a', 'stop', 0), choice('b', 'length', 1)] });
  });

  it('fills gaps with Mistral, which answers in the format of Chat Completions', async () => {
    const message = { role: 'assistant', content: 'return a + b' };
    chat.c.enqueue(json(200, { choices: [{ index: 0, message, finish_reason: 'stop' }], usage: USAGE }));
    const reply = await post({ model: 'codestral', prompt: 'def a():', suffix: '}', user: 'u' });
    expect(await reply.json()).toMatchObject({ choices: [choice('return a + b', 'stop')] });
    expect(reply.headers.get('x-gateway-ignored-parameters')).toBe('user');
    expect(chat.c.requests.at(-1)?.path).toBe('/v1/fim/completions');
  });

  it.each([
    ['no prompt', { model: 'instruct' }, 'missing_required_parameter', 'prompt'],
    ['no model', { prompt: 'x' }, 'missing_required_parameter', 'model'],
    ['an empty list', { model: 'instruct', prompt: [] }, 'invalid_value', 'prompt'],
    ['a mixed list', { model: 'instruct', prompt: ['a', 1] }, 'invalid_type', 'prompt[1]'],
    ['a wrong number', { model: 'instruct', prompt: 'x', temperature: 3 }, 'invalid_value', 'temperature'],
    ['a model without this API', { model: 'claude', prompt: 'x' }, 'model_not_supported', 'model'],
    ['several prompts where one is taken', { model: 'codestral', prompt: ['a', 'b'] }, 'unsupported_value', 'prompt'],
  ])('refuses %s', async (_, body, code, param) => {
    await expectError(await post(body), { status: 400, code, param });
  });
});
