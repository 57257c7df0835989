import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import OpenAI from 'openai';
import { chunkOf, completion, refusal, stream } from './support/chat-answers.js';
import { ChatTest } from './support/chat-test.js';
import { expectError } from './support/error-reply.js';
import { eventually } from './support/eventually.js';
import { LostTime } from './support/lost-time.js';
import { bytes, end, hang, head, json, pause, reset, type Script, sse } from './support/script.js';

const failed = { status: 502, type: 'server_error', code: 'upstream_error' };
/** Targets that keep failing are set aside; see set-aside.e2e-spec.ts. */
const NEVER_ASIDE = 'routing: { consecutiveFailures: 1000, minimumCalls: 1000 }';
const limited = { status: 429, type: 'requests', code: 'upstream_rate_limited' };

/** The requests that a test caused, with the ms between them. */
async function requested(chat: ChatTest, act: () => Promise<unknown>) {
  const before = chat.upstream.requests.length;
  await act();
  const requests = chat.upstream.requests.slice(before);
  return {
    requests,
    waits: requests.slice(1).map((one, index) => one.receivedAt - (requests[index]?.receivedAt ?? 0)),
  };
}

describe('a failed attempt', () => {
  let chat: ChatTest;
  beforeAll(async () => {
    const settings = `retry: { attempts: 3, maxRetryAfter: 2s }\n${NEVER_ASIDE}`;
    chat = await ChatTest.start({ settings });
  });

  it.each<[string, Script]>([
    ['408', refusal(408)],
    ['429', refusal(429)],
    ['500', refusal(500)],
    ['503', refusal(503)],
    ['529', refusal(529)],
    ['a reset', reset()],
    ['an end without an answer', end()],
    ['an answer that breaks off', [head(200, { 'content-type': 'application/json', 'content-length': '9' }), end()]],
    ['an answer that is no completion', json(200, {})],
  ])('a failed attempt with %s is retried', async (_how, script) => {
    chat.upstream.enqueue(script).enqueue(completion());
    const { requests, waits } = await requested(chat, async () => {
      const response = await chat.ask();
      expect(response.status).toBe(200);
      expect((await chat.row(response)).attempts).toMatchObject([
        { upstream: 'openai' },
        { outcome: 'ok', status: 200 },
      ]);
    });
    expect(requests.map((request) => request.body)).toEqual([requests[0]?.body, requests[0]?.body]);
    expect(waits[0]).toBeGreaterThanOrEqual(95);
  });

  it.each<[string, Script]>([
    ['a refusal', refusal(503)],
    [
      'a reset before the first chunk',
      [head(200, { 'content-type': 'text/event-stream' }), bytes(': hi\n\n'), reset()],
    ],
    ['no event at all', sse([])],
    ['an error as its first event', sse([{ error: { message: 'x', code: 503 } }])],
  ])('a failed attempt of a stream is retried after %s', async (_how, script) => {
    chat.upstream.enqueue(script).enqueue(stream());
    const { requests } = await requested(chat, async () => {
      expect(await (await chat.ask({ stream: true })).text()).toMatch(/there!.*\[DONE\]\n\n$/s);
    });
    expect(requests).toHaveLength(2);
  });

  it.each([
    [400, { status: 400, code: 'invalid_value' }],
    [401, failed],
    [404, failed],
    [409, failed],
    [413, { status: 413, code: 'request_too_large' }],
    [422, { status: 400, code: 'invalid_value' }],
  ])('a failed attempt with %i is not retried', async (status, expected) => {
    chat.upstream.enqueue(refusal(status, 'Not like this.'));
    const { requests } = await requested(chat, async () => expectError(await chat.ask(), expected));
    expect(requests).toHaveLength(1);
  });

  it('is not retried once a chunk was sent to the client', async () => {
    chat.upstream.enqueue(sse([chunkOf({ role: 'assistant', content: 'a' }), pause(20), reset()]));
    const { requests } = await requested(chat, async () => {
      expect(await (await chat.ask({ stream: true })).text()).toContain('upstream_error');
    });
    expect(requests).toHaveLength(1);
  });

  it('is retried up to the number of attempts, and the last failure is returned', async () => {
    chat.upstream.enqueue(refusal(500)).enqueue(refusal(500)).enqueue(refusal(503));
    const { requests, waits } = await requested(chat, async () =>
      expectError(await chat.ask(), { status: 503, type: 'server_error', code: 'overloaded' }),
    );
    expect(requests).toHaveLength(3);
    expect(waits[1]).toBeGreaterThanOrEqual(195);
    expect((await chat.row()).attempts).toMatchObject([{ status: 500 }, { status: 500 }, { status: 503 }]);
  });

  it.each([false, true])('is final: SDKs are told not to retry (stream: %s)', async (stream) => {
    chat.upstream.enqueue(refusal(500)).enqueue(refusal(500)).enqueue(refusal(500));
    const client = new OpenAI({ baseURL: `${chat.gateway.url}/v1`, apiKey: chat.pro.key.key });
    const request = { model: 'gpt-6-luna', messages: [{ role: 'user' as const, content: 'Hi' }], stream };
    const { requests } = await requested(chat, () => expect(client.chat.completions.create(request)).rejects.toThrow());
    expect(requests).toHaveLength(3);
  });

  it('is retried when the upstream said, in ms or in seconds', async () => {
    chat.upstream.enqueue(refusal(429, 'x', { 'retry-after-ms': '500' }));
    chat.upstream.enqueue(refusal(503, 'x', { 'retry-after': '1' })).enqueue(completion());
    const lost = new LostTime();
    const { waits } = await requested(chat, async () => expect((await chat.ask()).status).toBe(200));
    expect(waits[0]).toBeGreaterThanOrEqual(498);
    expect(waits[0]).toBeLessThan(900 + lost.stop());
    expect(waits[1]).toBeGreaterThanOrEqual(998);
  });

  it('is returned with its Retry-After when that is longer than the gateway waits', async () => {
    chat.upstream.enqueue(refusal(429, 'x', { 'retry-after': '3' }));
    const { requests } = await requested(chat, async () => {
      const { headers } = await expectError(await chat.ask(), limited);
      expect([headers.get('retry-after'), headers.get('retry-after-ms')]).toEqual(['3', '3000']);
    });
    expect(requests).toHaveLength(1);
  });

  it('is not retried once its client has disconnected', async () => {
    chat.upstream.enqueue(refusal(503, 'x', { 'retry-after-ms': '2000' }));
    const logged = chat.gateway.log.length;
    const { requests } = await requested(chat, async () => {
      const client = new AbortController();
      const left = expect(chat.ask({}, { signal: client.signal })).rejects.toThrow();
      await eventually(() => chat.gateway.log.slice(logged).some(({ upstreamStatus }) => upstreamStatus === 503));
      client.abort();
      await left;
      await sleep(2200);
    });
    expect(requests).toHaveLength(1);
    expect(await chat.row()).toMatchObject({ status: 'aborted', attempts: [{ status: 503 }] });
  });
});

describe('the total timeout of a call', () => {
  let chat: ChatTest;
  beforeAll(async () => {
    chat = await ChatTest.start({ settings: 'retry: { attempts: 9 }', clocks: '{ head: 1500ms, total: 3s }' });
  });

  it('limits all attempts together', async () => {
    chat.upstream.always(() => hang());
    const startedAt = performance.now();
    const lost = new LostTime();
    const { requests } = await requested(chat, async () =>
      expectError(await chat.ask(), { status: 504, type: 'server_error', code: 'upstream_timeout' }),
    );
    expect(performance.now() - startedAt).toBeLessThan(3400 + lost.stop());
    expect(requests).toHaveLength(2);
  });

  it('prevents waits that exceed it', async () => {
    chat.upstream.always(() => refusal(429, 'x', { 'retry-after': '4' }));
    const { requests } = await requested(chat, async () => expectError(await chat.ask(), limited));
    expect(requests).toHaveLength(1);
  });
});

describe('the retry budget', () => {
  let chat: ChatTest;
  beforeAll(async () => {
    chat = await ChatTest.start({ settings: 'retry: { attempts: 3, budgetPercent: 0, floor: 1 }' });
  });
  afterEach(() => {
    chat.upstream.always(() => completion());
  });

  const later = (ms: number) => refusal(503, 'x', { 'retry-after-ms': String(ms) });

  it('limits concurrent retries', async () => {
    chat.upstream.enqueue(later(2000)).enqueue(refusal(503)).enqueue(completion());
    const retried = chat.ask();
    await chat.upstream.received(1);
    await sleep(100);
    await expectError(await chat.ask(), { status: 503, type: 'server_error', code: 'overloaded' });
    expect((await retried).status).toBe(200);
  });

  it('counts a call once, however often it is retried', async () => {
    chat.upstream.enqueue(refusal(503)).enqueue(refusal(503)).enqueue(completion());
    expect((await chat.ask()).status).toBe(200);
  });

  it('is released as soon as a retried stream is answered', async () => {
    chat.upstream.enqueue(refusal(503)).enqueue(stream(['a', hang()]));
    const client = new AbortController();
    const streamed = await chat.ask({ stream: true }, { signal: client.signal });
    chat.upstream.enqueue(refusal(503)).enqueue(completion());
    expect((await chat.ask()).status).toBe(200);
    client.abort();
    await eventually(async () => (await chat.row(streamed)).status === 'aborted');
  });
});
