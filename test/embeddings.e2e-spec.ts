import { beforeAll, describe, expect, it } from '@jest/globals';
import OpenAI, { AzureOpenAI } from 'openai';
import { GATEWAY } from '../src/audit/audit.types.js';
import { UserLimitsService } from '../src/limits/settings/limit-settings.service.js';
import type { LimitChange } from '../src/limits/values/limit-values.js';
import { refusal } from './support/chat-answers.js';
import {
  type EmbeddingsAnswer,
  EmbeddingsTest,
  FAILING,
  type SentEmbeddings,
  TOKEN_NANODOLLARS,
  toBase64,
  vectorOf,
} from './support/embeddings-test.js';
import { expectError } from './support/error-reply.js';
import { json } from './support/script.js';

describe('POST /v1/embeddings', () => {
  let test: EmbeddingsTest;
  beforeAll(async () => {
    test = await EmbeddingsTest.start();
  });

  const answerTo = async (response: Response): Promise<EmbeddingsAnswer> => {
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
    return (await response.json()) as EmbeddingsAnswer;
  };
  const sent = (server = test.a) => server.requests.at(-1)?.json() as SentEmbeddings;
  const client = () => new OpenAI({ apiKey: test.user.key.key, baseURL: `${test.gateway.url}/v1`, maxRetries: 0 });

  it('is understood by the OpenAI SDK, which asks for base64 by default', async () => {
    for (const encoding of [{}, { encoding_format: 'float' as const }, { encoding_format: 'base64' as const }]) {
      const answer = await client().embeddings.create({ model: 'embed', input: ['one', 'three'], ...encoding });
      const expected = ['one', 'three'].map(vectorOf);
      const requested = encoding.encoding_format === 'base64' ? expected.map(toBase64) : expected;
      expect(answer.data.map(({ embedding }) => embedding)).toEqual(requested);
      expect(answer).toMatchObject({ object: 'list', model: 'embed', usage: { prompt_tokens: 6, total_tokens: 6 } });
      expect(sent()).toMatchObject({ model: 'm', encoding_format: encoding.encoding_format ?? 'base64' });
    }
  });

  it.each([
    ['a text', 'hello', ['hello']],
    ['texts', ['hello', 'you'], ['hello', 'you']],
    ['tokens', [1, 2, 3], [[1, 2, 3]]],
    ['lists of tokens', [[1], [2, 3]], [[1], [2, 3]]],
  ])('accepts %s', async (_, input, inputs) => {
    const answer = await answerTo(await test.post({ model: 'embed', input, dimensions: 2, user: 'u-1' }));
    expect(answer.data).toEqual(inputs.map((one, index) => ({ object: 'embedding', index, embedding: vectorOf(one) })));
    expect(sent()).toEqual({ model: 'm', input: inputs, dimensions: 2, encoding_format: 'float', user: 'u-1' });
  });

  it('answers under the requested name, also at /openai/v1 and at the path of an Azure deployment', async () => {
    const model = 'text-embedding-3-small';
    expect(await answerTo(await test.post({ model, input: 'x' }))).toMatchObject({ model });
    expect(await answerTo(await test.post({ model, input: 'x' }, { path: '/openai/v1/embeddings' }))).toMatchObject({
      model,
    });
    const azure = new AzureOpenAI({
      apiKey: test.user.key.key,
      endpoint: test.gateway.url,
      apiVersion: '2024-10-21',
      maxRetries: 0,
    });
    expect(await azure.embeddings.create({ model, input: 'x' })).toMatchObject({ model, data: [{ index: 0 }] });
  });

  it('converts encodings if the upstream supports only one', async () => {
    for (const [upstreams, requested] of [
      [[0.5, -1], 'base64'],
      [toBase64([0.5, -1]), 'float'],
    ] as const) {
      test.a.enqueue(json(200, { data: [{ embedding: upstreams }], usage: { prompt_tokens: 1, total_tokens: 1 } }));
      const { data } = await answerTo(await test.post({ model: 'house', input: 'x', encoding_format: requested }));
      expect(data[0]?.embedding).toEqual(requested === 'float' ? [0.5, -1] : toBase64([0.5, -1]));
    }
  });

  it('splits a call into the batches of the upstream, and joins their answers in order', async () => {
    const input = Array.from({ length: 250 }, (_, index) => 'x'.repeat(index + 1));
    const before = test.b.requests.length;
    const response = await test.post({ model: 'google', input, encoding_format: 'base64' });
    const { data } = await answerTo(response);
    expect(data).toEqual(
      input.map((one, index) => ({ object: 'embedding', index, embedding: toBase64(vectorOf(one)) })),
    );
    const sizes = test.b.requests
      .slice(before)
      .map((request) => (request.json() as { requests: object[] }).requests.length);
    expect(sizes.toSorted((one, other) => other - one)).toEqual([100, 100, 50]);
    expect(response.headers.get('x-gateway-attempts')).toBe('1');
    expect(await test.row(response)).toMatchObject({
      status: 'settled',
      upstream: 'google',
      token_source: 'estimated',
    });
  });

  it.each(['float', 'base64'] as const)(
    'POST /v1/embeddings of 2,048 texts is one upstream request where that takes as many: %s',
    async (encoding) => {
      const input = Array.from({ length: 2048 }, () => 'x');
      const vector = [0.5, -1, 0.25];
      const data = input.map((_, index) => ({ object: 'embedding', index, embedding: toBase64(vector) }));
      test.a.enqueue(json(200, { data, usage: { prompt_tokens: 2048, total_tokens: 2048 } }));
      const before = test.a.requests.length;
      const answer = await answerTo(await test.post({ model: 'house', input, encoding_format: encoding }));
      expect(test.a.requests.slice(before).map((request) => request.json())).toEqual([
        expect.objectContaining({ input, encoding_format: 'base64' }),
      ]);
      expect(answer.data).toHaveLength(2048);
      expect(answer.data[2047]).toMatchObject({
        index: 2047,
        embedding: encoding === 'float' ? vector : toBase64(vector),
      });
    },
  );

  it('fails as a whole when one of its batches fails', async () => {
    const input = Array.from({ length: 250 }, (_, index) => (index === 200 ? FAILING : 'x'));
    const response = await test.post({ model: 'google', input });
    await expectError(response, { status: 503, type: 'server_error', code: 'overloaded' });
  });

  it('writes a ledger row like every call: input tokens, no output, at the price of the model', async () => {
    const response = await test.post({ model: 'text-embedding-3-small', input: ['one', 'two'] });
    expect(await answerTo(response)).toMatchObject({ usage: { prompt_tokens: 6, total_tokens: 6 } });
    expect(await test.row(response)).toMatchObject({
      model: 'embed',
      served_model: 'embed',
      upstream: 'a',
      upstream_model: 'm',
      status: 'settled',
      input_tokens: '6',
      output_tokens: '0',
      cost_nanodollars: '600000',
      token_source: 'reported',
    });
    expect(response.headers.get('x-gateway-attempts')).toBe('1');
    expect(response.headers.get('x-gateway-output-ceiling')).toBeNull();
  });

  it('estimates the tokens if the upstream reports none', async () => {
    test.a.enqueue(json(200, { data: [{ index: 0, embedding: [1, 0] }] }));
    const response = await test.post({ model: 'embed', input: 'hello world' });
    const { usage } = await answerTo(response);
    expect(usage.prompt_tokens).toBeGreaterThanOrEqual(2);
    expect(usage.total_tokens).toBe(usage.prompt_tokens);
    expect(await test.row(response)).toMatchObject({
      token_source: 'estimated',
      input_tokens: String(usage.prompt_tokens),
    });
  });

  it('goes to the next target when one fails', async () => {
    test.a.enqueue(refusal(503));
    const response = await test.post({ model: 'both', input: 'x' });
    expect((await answerTo(response)).data).toHaveLength(1);
    expect(response.headers.get('x-gateway-attempts')).toBe('2');
    expect(await test.row(response)).toMatchObject({ upstream: 'b' });
  });

  it.each([
    ['too few vectors', { data: [] }],
    ['no list', { data: 'x' }],
    ['a vector that is an object', { data: [{ index: 0, embedding: { a: 1 } }] }],
  ])('treats %s as a failure of the upstream', async (_, answer) => {
    test.a.enqueue(json(200, answer));
    const response = await test.post({ model: 'embed', input: 'x' });
    await expectError(response, { status: 502, type: 'server_error', code: 'upstream_error' });
    expect(await test.row(response)).toMatchObject({ status: 'failed', cost_nanodollars: '0' });
  });

  it('is charged to budgets and rates like every call, and refused when they are used up', async () => {
    const limited = async (change: LimitChange) => {
      const by = await test.gateway.createUser();
      await test.gateway.services.get(UserLimitsService).set(by.id, change, GATEWAY);
      return () => test.post({ model: 'embed', input: 'one two three' }, { by });
    };
    const rich = await limited({ budgetTotalNanodollars: 1000n * TOKEN_NANODOLLARS });
    const paid = await rich();
    expect([paid.status, paid.headers.get('x-gateway-output-ceiling')]).toEqual([200, null]);
    const requests = test.a.requests.length;
    const poor = await limited({ budgetTotalNanodollars: 5n * TOKEN_NANODOLLARS });
    await expectError(await poor(), { status: 429, code: 'insufficient_quota', type: 'insufficient_quota' });
    const slow = await limited({ requestsPerMinute: 1 });
    expect((await slow()).status).toBe(200);
    await expectError(await slow(), { status: 429, code: 'rate_limit_exceeded', type: 'requests' });
    expect(test.a.requests.length).toBe(requests + 1);
  });

  it('repeats the stored answer for the same Idempotency-Key', async () => {
    const headers = { 'idempotency-key': 'embed-1' };
    const first = await test.post({ model: 'embed', input: 'x' }, { headers });
    const requests = test.a.requests.length;
    const second = await test.post({ model: 'embed', input: 'x' }, { headers });
    expect(second.headers.get('x-gateway-idempotent-replay')).toBe('true');
    expect(await second.text()).toBe(await first.text());
    expect(test.a.requests.length).toBe(requests);
    await expectError(await test.post({ model: 'embed', input: 'y' }, { headers }), {
      status: 422,
      code: 'idempotency_key_reused',
    });
  });

  it('embedding models are listed with their kind, but not in the array of chat models', async () => {
    const array = (await (await test.gateway.get('/v1/models', test.user.headers)).json()) as { id: string }[];
    expect(array.map(({ id }) => id)).toEqual(['chat']);
    const { data } = (await (await test.gateway.get('/v1/models?format=list', test.user.headers)).json()) as {
      data: { id: string; kind: string }[];
    };
    expect(data.map(({ id, kind }) => `${id} ${kind}`)).toEqual([
      ...['embed', 'both', 'house', 'texts', 'none', 'google'].map((id) => `${id} embedding`),
      'chat chat',
    ]);
    expect(data[0]).toMatchObject({ dimensions: 4, max_input_tokens: 8, context_length: 8, apis: ['embeddings'] });
    const one = await test.gateway.get('/v1/models/text-embedding-3-small', test.user.headers);
    expect(await one.json()).toMatchObject({ id: 'text-embedding-3-small', kind: 'embedding' });
  });
});
