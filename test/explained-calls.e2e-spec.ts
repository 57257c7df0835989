import { beforeAll, describe, expect, it } from '@jest/globals';
import { completion, refusal } from './support/chat-answers.js';
import { expectError } from './support/error-reply.js';
import { RoutingTest } from './support/routing-test.js';

describe('GET /v1/requests/{id}', () => {
  let chat: RoutingTest;
  beforeAll(async () => {
    chat = await RoutingTest.start({
      settings: 'retry: { attempts: 1 }',
      models: {
        m: 'targets: [{ upstream: a, model: x }], fallback: [n]',
        n: 'targets: [{ upstream: b, model: y }], price: { inputUsdPerMTok: 1, outputUsdPerMTok: 2 }',
      },
      upstreams: { a: ['a'], b: ['b'] },
    });
  });

  const explained = (id: string, { headers } = chat.user) => chat.gateway.get(`/v1/requests/${id}`, headers);

  it('returns a call by request id and by completion id', async () => {
    chat.a.enqueue(refusal(503));
    chat.b.enqueue(completion('A secret of mine'));
    const answer = await chat.ask('m', { messages: [{ role: 'user', content: 'My secret question' }] });
    const { id: completionId } = (await answer.json()) as { id: string };
    const id = answer.headers.get('x-request-id') ?? '';
    const response = await explained(id);
    expect(response.headers.get('cache-control')).toBe('private, no-store');
    const text = await response.text();
    expect(text).not.toContain('secret');
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    const ms = expect.any(Number);
    expect(JSON.parse(text)).toEqual({
      id,
      completionId,
      status: 'settled',
      model: 'm',
      servedModel: 'n',
      stream: false,
      simulated: false,
      startedAt: time,
      totalMs: ms,
      firstTokenMs: ms,
      finishReason: 'stop',
      errorCode: null,
      tokens: { input: 11, cached: 0, output: 3, reasoning: 0, source: 'reported' },
      costUsd: 0.000017,
      costNanodollars: '17000',
      attempts: [
        { upstream: 'a', upstreamModel: 'x', outcome: 'overloaded', status: 503, startedAt: time, ms },
        { upstream: 'b', upstreamModel: 'y', outcome: 'ok', status: 200, startedAt: time, ms },
      ],
    });
    expect(await (await explained(completionId)).text()).toBe(text);
    expect(await (await chat.gateway.get(`/openai/v1/requests/${id}`, chat.user.headers)).text()).toBe(text);
  });

  it('names the upstreams that failed to serve a call', async () => {
    chat.a.enqueue(refusal(400, 'Not like this.'));
    const answer = await chat.ask('m');
    const call = await (await explained(answer.headers.get('x-request-id') ?? '')).json();
    expect(call).toMatchObject({
      status: 'failed',
      servedModel: null,
      errorCode: 'invalid_value',
      attempts: [{ status: 400 }],
    });
  });

  it('reports calls of others as not found, and requires a key', async () => {
    chat.a.enqueue(completion());
    const id = (await chat.ask('m')).headers.get('x-request-id') ?? '';
    const another = await chat.gateway.createUser();
    for (const [unknown, who] of [
      [id, another],
      ['req_0', chat.user],
      ['x', chat.user],
    ] as const) {
      await expectError(await explained(unknown, who), { status: 404, code: 'not_found' });
    }
    expect((await chat.gateway.get(`/v1/requests/${id}`)).status).toBe(401);
  });
});
