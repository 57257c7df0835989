import { describe, expect, it } from '@jest/globals';
import { chunkOf, completion, refusal, stream, USAGE } from './support/chat-answers.js';
import { ChatTest, UPSTREAM_KEY } from './support/chat-test.js';
import { eventually } from './support/eventually.js';
import { end, hang, json, sse } from './support/script.js';

const TRACEPARENT = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

const chat = await ChatTest.start();

/** The log line with this message that belongs to a reply. */
function lineOf(response: Response, message: string) {
  const requestId = response.headers.get('x-request-id');
  return eventually(() => chat.gateway.log.find((line) => line.requestId === requestId && line.msg === message));
}

describe('the log line of a request', () => {
  it.each([
    ['JSON', false],
    ['a stream', true],
  ])('names the caller, the API and the usage: %s', async (_how, streamed) => {
    chat.upstream.enqueue(streamed ? stream() : completion());
    const response = await chat.ask({ stream: streamed });
    await response.text();
    const line = await lineOf(response, 'request');
    expect(line).toMatchObject({
      api: 'chat.completions',
      keyId: chat.pro.key.id,
      userId: chat.pro.id,
      model: 'gpt-6-luna',
      tokens: { input: USAGE.prompt_tokens, output: USAGE.completion_tokens, cached: 0, reasoning: 0 },
      upstream: 'openai',
      attempts: 1,
      outcome: 'settled',
    });
    expect(line.firstTokenMs).toEqual(expect.any(Number));
    expect(Number(line.ms)).toBeGreaterThanOrEqual(Number(line.firstTokenMs));
  });

  it('has the error of a failed call, and shows whether a call was rejected', async () => {
    chat.upstream.enqueue(refusal(500));
    const failed = await lineOf(await chat.ask(), 'request');
    expect(failed).toMatchObject({ attempts: 1, outcome: 'failed', code: 'upstream_error' });
    const refused = await lineOf(await chat.ask({ temperature: 'hot' }), 'request');
    expect(refused).not.toHaveProperty('outcome');
  });

  it('shows that the client disconnected', async () => {
    chat.upstream.enqueue(stream(['Hello', hang()]));
    const leaving = new AbortController();
    const response = await chat.ask({ stream: true }, { signal: leaving.signal });
    await response.body?.getReader().read();
    leaving.abort();
    expect(await lineOf(response, 'request')).toMatchObject({ outcome: 'aborted', left: true, attempts: 1 });
  });

  it.each([
    ['/v1/models', 'models'],
    ['/openai/v1/models/gpt-6-luna', 'models'],
    ['/openai/v1/chat/completions/', 'chat.completions'],
    ['/v1/modelsx', undefined],
    ['/api/nothing', undefined],
  ])('names the API of %s', async (path, api) => {
    const response = await chat.gateway.get(path, chat.pro.headers);
    expect((await lineOf(response, 'request')).api).toBe(api);
  });

  it.each([
    ['as it came', 'trace-7 of job 12', 'trace-7 of job 12'],
    ['cut', 'x'.repeat(1000), 'x'.repeat(128)],
    ['without a key', `a svc_${'b'.repeat(40)} c`, 'a svc_… c'],
    ['without what is no printable ASCII', 'caf\u00e9\tau lait', 'cafau lait'],
  ])("keeps the caller's own id %s", async (_how, sent, stored) => {
    const response = await chat.gateway.get('/v1/models', { ...chat.pro.headers, 'x-request-id': sent });
    expect(response.headers.get('x-request-id')).toMatch(/^req_[0-9a-f]{32}$/);
    expect((await lineOf(response, 'request')).clientRequestId).toBe(stored);
  });
});

describe('the log line of a failed attempt', () => {
  const failed = 'An upstream attempt failed.';

  it("has the upstream's message without secrets, its status and its request id", async () => {
    const words = `Engine ${UPSTREAM_KEY} of sk-proj-abcdef1234567890 burst. ${'x'.repeat(2000)}`;
    chat.upstream.enqueue(refusal(500, words, { 'x-request-id': 'req_upstream_7' }));
    const response = await chat.ask({}, { headers: { 'x-request-id': 'mine' } });
    const line = await lineOf(response, failed);
    expect(line).toMatchObject({
      upstream: 'openai',
      upstreamStatus: 500,
      upstreamRequestId: 'req_upstream_7',
      code: 'upstream_error',
      clientRequestId: 'mine',
      upstreamMessage: expect.stringMatching(/^Engine \[removed\] of \[removed\] burst\. x+$/),
    });
    expect(line.upstreamMessage).toHaveLength(500);
    expect(JSON.stringify(line)).not.toContain(UPSTREAM_KEY);
  });

  it("has the id of a stream's request, too", async () => {
    const failure = { error: { message: 'Out of memory.', type: 'server_error', code: 500 } };
    chat.upstream.enqueue(sse([chunkOf({ content: 'a' }), failure], { headers: { 'request-id': 'abc-1' } }));
    const response = await chat.ask({ stream: true });
    await response.text();
    expect(await lineOf(response, failed)).toMatchObject({
      upstreamRequestId: 'abc-1',
      upstreamMessage: 'Out of memory.',
    });
  });

  it.each([
    ['an answer that is not a completion', json(200, {}, { 'x-amzn-requestid': 'aws-1' }), 'aws-1'],
    ['no answer', end(), undefined],
    ['an id that is not valid', refusal(500, 'No.', { 'x-request-id': 'two words' }), undefined],
  ])('the log line of a failed attempt after %s', async (_what, script, id) => {
    chat.upstream.enqueue(script);
    const response = await chat.ask();
    expect((await lineOf(response, failed)).upstreamRequestId).toBe(id);
  });
});

describe("the caller's trace", () => {
  it('is forwarded upstream', async () => {
    chat.upstream.enqueue(completion());
    await chat.ask({}, { headers: { traceparent: TRACEPARENT } });
    expect(chat.upstream.requests.at(-1)?.headers.traceparent).toBe(TRACEPARENT);
  });

  it.each([
    ['there is none', {}],
    ['it is malformed', { traceparent: `${TRACEPARENT}\u00e9` }],
    ['it has no id', { traceparent: TRACEPARENT.replace(/0af7\w+/, '0'.repeat(32)) }],
  ])('is not forwarded when %s', async (_why, headers) => {
    chat.upstream.enqueue(completion());
    await chat.ask({}, { headers });
    expect(chat.upstream.requests.at(-1)?.headers).not.toHaveProperty('traceparent');
  });
});
