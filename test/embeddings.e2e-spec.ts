import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import OpenAI, { AzureOpenAI } from 'openai';
import { GATEWAY } from '../src/audit/audit.types.js';
import { UserLimitsService } from '../src/limits/settings/user-limits.service.js';
import type { LimitChange } from '../src/limits/values/limit-values.js';
import { refusal } from './support/chat-answers.js';
import { expectError } from './support/error-reply.js';
import type { ReceivedRequest } from './support/received-request.js';
import { json, pause, type Script } from './support/script.js';
import { ScriptedUpstream } from './support/scripted-upstream.js';
import { TestGateway, type TestUser } from './support/test-gateway.js';

const row = (id: string, targets: string, fields = '') =>
  `- { id: ${id}, kind: embedding, tier: free, displayName: ${id}, description: D, dimensions: 4, maxInputTokens: 8,
    targets: [${targets}] ${fields} }\n`;
const at = (upstream: string, model = 'm') => `{ upstream: ${upstream}, model: ${model} }`;
const PAID = ', price: { inputUsdPerMTok: 100 }';
const TOKEN_NANODOLLARS = 100_000n;
const MODELS = [
  row('embed', at('a'), `${PAID}, aliases: [text-embedding-3-small]`),
  row('both', `{ upstream: a, model: m, priority: 1 }, { upstream: b, model: m, priority: 2 }`),
  row('house', at('house')),
  row('texts', at('together')),
  row('none', at('deepseek')),
  row('google', at('google')).replace('maxInputTokens: 8', 'maxInputTokens: 1000'),
  '- { id: chat, tier: free, displayName: C, description: D, contextLength: 1000, aliases: [talk],\n    targets: [{ upstream: a, model: c }] }\n',
].join('');

interface Sent {
  model: string;
  input: unknown[];
  encoding_format?: string;
  dimensions?: number;
  [field: string]: unknown;
}

interface Answer {
  object: string;
  data: { object: string; index: number; embedding: number[] | string }[];
  model: string;
  usage: { prompt_tokens: number; total_tokens: number };
}

/** Of an input: its length, so that each can be told from the others. */
const vectorOf = (input: unknown) => [String(input).length, 0.5, -0.25, 0];

const toBase64 = (numbers: readonly number[]) => Buffer.from(Float32Array.from(numbers).buffer).toString('base64');

/** What OpenAI answers, in the requested encoding. */
function embeddings(request: ReceivedRequest): Script {
  const { input, encoding_format: encoding, model } = request.json() as Sent;
  const data = input.map((one, index) => {
    const vector = vectorOf(one);
    return { object: 'embedding', index, embedding: encoding === 'base64' ? toBase64(vector) : vector };
  });
  const usage = { prompt_tokens: 3 * input.length, total_tokens: 3 * input.length };
  return json(200, { object: 'list', data, model, usage });
}

const FAILING = 'fail';

const isGoogle = ({ path }: ReceivedRequest) => path.endsWith(':batchEmbedContents');

/** What Gemini answers. Larger batches take longer. */
function batch(request: ReceivedRequest): Script {
  const { requests } = request.json() as { requests: { content: { parts: { text: string }[] } }[] };
  const texts = requests.map(({ content }) => content.parts[0]?.text);
  if (texts.includes(FAILING)) return refusal(503);
  return [pause(texts.length), json(200, { embeddings: texts.map((text) => ({ values: vectorOf(text) })) })];
}

describe('POST /v1/embeddings', () => {
  let gateway: TestGateway;
  let user: TestUser;
  let a: ScriptedUpstream;
  let b: ScriptedUpstream;
  beforeAll(async () => {
    a = (await ScriptedUpstream.start()).always(embeddings);
    b = (await ScriptedUpstream.start()).always((request) =>
      isGoogle(request) ? batch(request) : embeddings(request),
    );
    const upstreams = [
      `a: { protocol: openai, baseUrl: "${a.url}/v1", auth: none }`,
      `b: { protocol: openai, baseUrl: "${b.url}/v1", auth: none }`,
      `house: { protocol: openai-compatible, baseUrl: "${a.url}/v1", auth: none }`,
      `together: { protocol: together, baseUrl: "${b.url}/v1", auth: none }`,
      `google: { protocol: gemini, baseUrl: "${b.url}", auth: none }`,
      `deepseek: { protocol: deepseek, baseUrl: "${b.url}/v1", auth: none }`,
    ];
    gateway = await TestGateway.start({
      config: {
        'models.yaml': MODELS,
        'upstreams.yaml': upstreams.join('\n'),
        'gateway.yaml': 'retry: { attempts: 1 }',
      },
    });
    user = await gateway.createUser();
  });
  afterAll(async () => {
    await gateway?.stop();
    await Promise.all([a, b].map((server) => server?.close()));
  });

  const post = (body: object, { path = '/v1/embeddings', headers = {}, by = user } = {}) =>
    fetch(gateway.url + path, {
      method: 'POST',
      headers: { ...by.headers, 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  const answerTo = async (response: Response): Promise<Answer> => {
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
    return (await response.json()) as Answer;
  };
  const sent = (server = a) => server.requests.at(-1)?.json() as Sent;
  const rowOf = async (response: Response) => {
    const id = response.headers.get('x-request-id');
    return (await gateway.database.query('SELECT * FROM usage_calls WHERE request_id = $1', [id]))[0];
  };
  const client = () => new OpenAI({ apiKey: user.key.key, baseURL: `${gateway.url}/v1`, maxRetries: 0 });

  it('is understood by the OpenAI SDK, which asks for base64 by default', async () => {
    for (const encoding of [{}, { encoding_format: 'float' as const }, { encoding_format: 'base64' as const }]) {
      const answer = await client().embeddings.create({ model: 'embed', input: ['one', 'three'], ...encoding });
      const expected = ['one', 'three'].map(vectorOf);
      const asked = encoding.encoding_format === 'base64' ? expected.map(toBase64) : expected;
      expect(answer.data.map(({ embedding }) => embedding)).toEqual(asked);
      expect(answer).toMatchObject({ object: 'list', model: 'embed', usage: { prompt_tokens: 6, total_tokens: 6 } });
      expect(sent()).toMatchObject({ model: 'm', encoding_format: encoding.encoding_format ?? 'base64' });
    }
  });

  it.each([
    ['a text', 'hello', ['hello']],
    ['texts', ['hello', 'you'], ['hello', 'you']],
    ['tokens', [1, 2, 3], [[1, 2, 3]]],
    ['lists of tokens', [[1], [2, 3]], [[1], [2, 3]]],
  ])('takes %s', async (_, input, inputs) => {
    const answer = await answerTo(await post({ model: 'embed', input, dimensions: 2, user: 'u-1' }));
    expect(answer.data).toEqual(inputs.map((one, index) => ({ object: 'embedding', index, embedding: vectorOf(one) })));
    expect(sent()).toEqual({ model: 'm', input: inputs, dimensions: 2, encoding_format: 'float', user: 'u-1' });
  });

  it('answers under the name that was asked, also at /openai/v1 and at the path of an Azure deployment', async () => {
    const model = 'text-embedding-3-small';
    expect(await answerTo(await post({ model, input: 'x' }))).toMatchObject({ model });
    expect(await answerTo(await post({ model, input: 'x' }, { path: '/openai/v1/embeddings' }))).toMatchObject({
      model,
    });
    const azure = new AzureOpenAI({
      apiKey: user.key.key,
      endpoint: gateway.url,
      apiVersion: '2024-10-21',
      maxRetries: 0,
    });
    expect(await azure.embeddings.create({ model, input: 'x' })).toMatchObject({ model, data: [{ index: 0 }] });
  });

  it('converts what the upstream has in one encoding only', async () => {
    for (const [upstreams, asked] of [
      [[0.5, -1], 'base64'],
      [toBase64([0.5, -1]), 'float'],
    ] as const) {
      a.enqueue(json(200, { data: [{ embedding: upstreams }], usage: { prompt_tokens: 1, total_tokens: 1 } }));
      const { data } = await answerTo(await post({ model: 'house', input: 'x', encoding_format: asked }));
      expect(data[0]?.embedding).toEqual(asked === 'float' ? [0.5, -1] : toBase64([0.5, -1]));
    }
  });

  it('splits a call to the batches of the upstream, and joins their answers in order', async () => {
    const input = Array.from({ length: 250 }, (_, index) => 'x'.repeat(index + 1));
    const before = b.requests.length;
    const response = await post({ model: 'google', input, encoding_format: 'base64' });
    const { data } = await answerTo(response);
    expect(data).toEqual(
      input.map((one, index) => ({ object: 'embedding', index, embedding: toBase64(vectorOf(one)) })),
    );
    const sizes = b.requests.slice(before).map((request) => (request.json() as { requests: object[] }).requests.length);
    expect(sizes.toSorted((one, other) => other - one)).toEqual([100, 100, 50]);
    expect(response.headers.get('x-gateway-attempts')).toBe('1');
    expect(await rowOf(response)).toMatchObject({ status: 'settled', upstream: 'google', token_source: 'estimated' });
  });

  it('fails as a whole when one of its batches fails', async () => {
    const input = Array.from({ length: 250 }, (_, index) => (index === 200 ? FAILING : 'x'));
    const response = await post({ model: 'google', input });
    await expectError(response, { status: 503, type: 'server_error', code: 'overloaded' });
  });

  it('writes the ledger row as every call has it: tokens in, nothing out, at the price of the model', async () => {
    const response = await post({ model: 'text-embedding-3-small', input: ['one', 'two'] });
    expect(await answerTo(response)).toMatchObject({ usage: { prompt_tokens: 6, total_tokens: 6 } });
    expect(await rowOf(response)).toMatchObject({
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

  it('estimates the tokens where the upstream reports none', async () => {
    a.enqueue(json(200, { data: [{ index: 0, embedding: [1, 0] }] }));
    const response = await post({ model: 'embed', input: 'hello world' });
    const { usage } = await answerTo(response);
    expect(usage.prompt_tokens).toBeGreaterThanOrEqual(2);
    expect(usage.total_tokens).toBe(usage.prompt_tokens);
    expect(await rowOf(response)).toMatchObject({
      token_source: 'estimated',
      input_tokens: String(usage.prompt_tokens),
    });
  });

  it('goes to the next target when one fails', async () => {
    a.enqueue(refusal(503));
    const response = await post({ model: 'both', input: 'x' });
    expect((await answerTo(response)).data).toHaveLength(1);
    expect(response.headers.get('x-gateway-attempts')).toBe('2');
    expect(await rowOf(response)).toMatchObject({ upstream: 'b' });
  });

  it.each([
    ['too few vectors', { data: [] }],
    ['no list', { data: 'x' }],
    ['a vector that is none', { data: [{ index: 0, embedding: { a: 1 } }] }],
  ])('takes %s as a failure of the upstream', async (_, answer) => {
    a.enqueue(json(200, answer));
    const response = await post({ model: 'embed', input: 'x' });
    await expectError(response, { status: 502, type: 'server_error', code: 'upstream_error' });
    expect(await rowOf(response)).toMatchObject({ status: 'failed', cost_nanodollars: '0' });
  });

  it('is charged to budgets and rates as every call, and refused when they are used up', async () => {
    const limited = await gateway.createUser();
    const limit = (change: LimitChange) => gateway.services.get(UserLimitsService).set(limited.id, change, GATEWAY);
    const ask = () => post({ model: 'embed', input: 'one two three' }, { by: limited });
    await limit({ budgetTotalNanodollars: 1000n * TOKEN_NANODOLLARS });
    const paid = await ask();
    expect([paid.status, paid.headers.get('x-gateway-output-ceiling')]).toEqual([200, null]);
    await limit({ budgetTotalNanodollars: 5n * TOKEN_NANODOLLARS });
    const requests = a.requests.length;
    await expectError(await ask(), { status: 429, code: 'insufficient_quota', type: 'insufficient_quota' });
    await limit({ budgetTotalNanodollars: null, requestsPerMinute: 1 });
    expect((await ask()).status).toBe(200);
    await expectError(await ask(), { status: 429, code: 'rate_limit_exceeded', type: 'requests' });
    expect(a.requests.length).toBe(requests + 1);
  });

  it('repeats the stored answer for the same Idempotency-Key', async () => {
    const headers = { 'idempotency-key': 'embed-1' };
    const first = await post({ model: 'embed', input: 'x' }, { headers });
    const requests = a.requests.length;
    const second = await post({ model: 'embed', input: 'x' }, { headers });
    expect(second.headers.get('x-gateway-idempotent-replay')).toBe('true');
    expect(await second.text()).toBe(await first.text());
    expect(a.requests.length).toBe(requests);
    await expectError(await post({ model: 'embed', input: 'y' }, { headers }), {
      status: 422,
      code: 'idempotency_key_reused',
    });
  });

  it.each([
    ['no model', { input: 'x' }, 'missing_required_parameter', 'model'],
    ['no input', { model: 'embed' }, 'missing_required_parameter', 'input'],
    ['an empty list', { model: 'embed', input: [] }, 'invalid_value', 'input'],
    ['an empty text', { model: 'embed', input: '' }, 'invalid_value', 'input'],
    ['an empty text in a list', { model: 'embed', input: ['a', ''] }, 'invalid_value', 'input[1]'],
    ['a number among texts', { model: 'embed', input: ['a', 1] }, 'invalid_type', 'input[1]'],
    ['an empty list of tokens', { model: 'embed', input: [[1], []] }, 'invalid_value', 'input[1]'],
    ['a negative token', { model: 'embed', input: [[1], [1, -1]] }, 'invalid_type', 'input[1][1]'],
    ['an object', { model: 'embed', input: { a: 1 } }, 'invalid_type', 'input'],
    [
      'more than 2,048 inputs',
      { model: 'embed', input: Array.from({ length: 2049 }, () => 'a') },
      'invalid_value',
      'input',
    ],
    [
      'dimensions above those of the model',
      { model: 'embed', input: 'x', dimensions: 5 },
      'invalid_value',
      'dimensions',
    ],
    ['dimensions of 0', { model: 'embed', input: 'x', dimensions: 0 }, 'invalid_value', 'dimensions'],
    [
      'an unknown encoding',
      { model: 'embed', input: 'x', encoding_format: 'int8' },
      'invalid_value',
      'encoding_format',
    ],
    ['tokens where the upstream takes texts', { model: 'texts', input: [1, 2] }, 'unsupported_value', 'input'],
    ['a model whose upstream has no embeddings', { model: 'none', input: 'x' }, 'model_not_supported', 'model'],
    ['a chat model', { model: 'chat', input: 'x' }, 'model_not_supported', 'model'],
    ['a chat model by its alias', { model: 'talk', input: 'x' }, 'model_not_supported', 'model'],
    [
      'an input that is too long, in a list',
      { model: 'embed', input: ['a', 'a b c d e f g h i'] },
      'context_length_exceeded',
      'input[1]',
    ],
    ['a text that is too long', { model: 'embed', input: 'a b c d e f g h i' }, 'context_length_exceeded', 'input'],
    [
      'a list of tokens that is too long',
      { model: 'embed', input: [[1], [1, 2, 3, 4, 5, 6, 7, 8, 9]] },
      'context_length_exceeded',
      'input[1]',
    ],
  ])('refuses %s', async (_, body, code, param) => {
    const requests = a.requests.length + b.requests.length;
    await expectError(await post(body), { status: 400, type: 'invalid_request_error', code, param });
    expect(a.requests.length + b.requests.length).toBe(requests);
  });

  it('refuses an unknown model as one that does not exist, and a request without a key before its body', async () => {
    await expectError(await post({ model: 'gone', input: 'x' }), {
      status: 404,
      code: 'model_not_found',
      param: 'model',
    });
    const open = await fetch(`${gateway.url}/v1/embeddings`, { method: 'POST', body: 'not JSON' });
    expect(open.status).toBe(401);
  });

  it('embedding models are refused by name at chat completions', async () => {
    const reply = await gateway.complete(user, { model: 'embed', messages: [{ role: 'user', content: 'Hi' }] });
    await expectError(reply, { status: 400, code: 'model_not_supported', param: 'model' });
  });

  it('embedding models are listed with their kind, but not in the array of those that chat', async () => {
    const array = (await (await gateway.get('/v1/models', user.headers)).json()) as { id: string }[];
    expect(array.map(({ id }) => id)).toEqual(['chat']);
    const { data } = (await (await gateway.get('/v1/models?format=list', user.headers)).json()) as {
      data: { id: string; kind: string }[];
    };
    expect(data.map(({ id, kind }) => `${id} ${kind}`)).toEqual([
      ...['embed', 'both', 'house', 'texts', 'none', 'google'].map((id) => `${id} embedding`),
      'chat chat',
    ]);
    expect(data[0]).toMatchObject({ dimensions: 4, max_input_tokens: 8, context_length: 8, apis: ['embeddings'] });
    const one = await gateway.get('/v1/models/text-embedding-3-small', user.headers);
    expect(await one.json()).toMatchObject({ id: 'text-embedding-3-small', kind: 'embedding' });
  });
});

describe('embeddings of the simulator', () => {
  let gateway: TestGateway;
  let user: TestUser;
  beforeAll(async () => {
    const models = row('embed', at('openai')).replace('maxInputTokens: 8', 'maxInputTokens: 1000');
    gateway = await TestGateway.start({ env: { SIMULATOR: 'on' }, config: { 'models.yaml': models } });
    user = await gateway.createUser();
  });
  afterAll(() => gateway?.stop());

  const embed = async (input: string | string[] | number[], fields: object = {}) => {
    const client = new OpenAI({ apiKey: user.key.key, baseURL: `${gateway.url}/v1`, maxRetries: 0 });
    return client.embeddings.create({ model: 'embed', input, ...fields });
  };

  it('are vectors of length 1, always the same for the same input', async () => {
    const [first, again, other] = (await embed(['cat', 'cat', 'dog'])).data.map(({ embedding }) => embedding);
    expect(first).toHaveLength(4);
    expect(Math.hypot(...(first ?? []))).toBeCloseTo(1, 5);
    expect(again).toEqual(first);
    expect(other).not.toEqual(first);
    expect((await embed('cat', { encoding_format: 'float' })).data[0]?.embedding).toEqual(first);
    expect((await embed([1, 2, 3])).data).toHaveLength(1);
  });

  it('have the requested dimensions, count tokens and cost nothing', async () => {
    const { data, usage } = await embed(['hello world', 'hello'], { dimensions: 2 });
    expect(data.map(({ embedding }) => embedding.length)).toEqual([2, 2]);
    expect(usage).toEqual({ prompt_tokens: 3, total_tokens: 3 });
    expect((await gateway.calls()).at(-1)).toMatchObject({
      status: 'settled',
      simulated: true,
      input_tokens: '3',
      cost_nanodollars: '0',
    });
  });
});
