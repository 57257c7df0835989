import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { chunkOf, completion, refusal, stream } from './support/chat-answers.js';
import { ChatTest, UPSTREAM_KEY } from './support/chat-test.js';
import { eventually } from './support/eventually.js';
import { schemaFaults } from './support/openai-schema.js';
import { chunk, end, gate, hang, head, pause, reset, type Script, type Step, sse } from './support/script.js';
import { StreamReader } from './support/stream-reader.js';

const BEGUN = chunkOf({ role: 'assistant', content: 'Hel' });

/** The error event of a stream, which must be its last. */
async function errorIn(response: Response): Promise<{ message: string; code: string; type: string; param: unknown }> {
  expect(response.status).toBe(200);
  const reader = new StreamReader(response);
  await reader.until();
  const last = JSON.parse(reader.events.at(-1) ?? '');
  expect(schemaFaults('error', last)).toEqual([]);
  expect(Object.keys(last)).toEqual(['error']);
  expect(Object.keys(last.error).sort()).toEqual(['code', 'message', 'param', 'type']);
  expect(reader.events).not.toContain('[DONE]');
  return last.error;
}

describe('a stream that fails after its start', () => {
  let chat: ChatTest;
  beforeAll(async () => {
    // Nothing is retried here, although that would be allowed before the first chunk.
    chat = await ChatTest.start({ settings: 'retry: { attempts: 3 }', clocks: '{ idle: 2s }' });
  });

  const open: Step = head(200, { 'content-type': 'text/event-stream', 'transfer-encoding': 'chunked' });
  const begun: Step = chunk(`data: ${JSON.stringify(BEGUN)}\n\n`);

  it.each<[string, Script, string]>([
    ['ends without a finish reason', sse([BEGUN], { done: false }), 'upstream_incomplete'],
    ['ends with [DONE] but no finish reason', sse([BEGUN]), 'upstream_incomplete'],
    ['has a choice without a finish reason', sse([BEGUN, secondChoice(), chunkOf({}, 'stop')]), 'upstream_incomplete'],
    ['holds malformed JSON', sse([BEGUN, 'data: {"choices":[{"secret\n\n']), 'upstream_error'],
    ['reports an error', sse([BEGUN, { error: { message: 'Broken.', code: 503 } }]), 'overloaded'],
    ['reports an error by name', sse([BEGUN, 'event: error\ndata: {"message":"x"}\n\n']), 'upstream_error'],
    ['is closed in its middle', [open, begun, end()], 'upstream_error'],
    ['is reset', [open, begun, pause(20), reset()], 'upstream_error'],
    ['falls silent', [open, begun, hang()], 'upstream_timeout'],
  ])('ends with the error event if it %s', async (_how, script, code) => {
    const requested = chat.upstream.requests.length;
    chat.upstream.enqueue(script);
    const response = await chat.ask({ stream: true });
    const error = await errorIn(response);
    expect(error).toMatchObject({ code, type: 'server_error', param: null });
    expect(error.message).not.toMatch(/secret|Broken/);
    expect(chat.upstream.requests.length - requested).toBe(1);
    expect(await chat.row(response)).toMatchObject({ status: 'failed', error_code: code });
  });

  it('shows the upstream’s message only if it is about the request, and sanitized', async () => {
    const message = `Tool f of mistral-small-2603 is bad (${UPSTREAM_KEY}).`;
    chat.upstream.enqueue(sse([BEGUN, { error: { message, type: 'invalid_request_error', param: 'tools' } }]));
    expect(await errorIn(await chat.ask({ model: 'mistral-small-4', stream: true }))).toEqual({
      message: 'Tool f of mistral-small-4 is bad ([removed]).',
      type: 'invalid_request_error',
      param: 'tools',
      code: 'invalid_value',
    });
  });

  it('keeps the connection: calls sent after the error event are answered', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const statuses: number[] = [];
    for (let turn = 0; turn < 20; turn++) {
      chat.upstream.enqueue(sse([BEGUN]));
      chat.upstream.enqueue(completion());
      const broken = await ask(agent, { stream: true });
      expect(broken.text).toContain('upstream_incomplete');
      expect(broken.text).not.toContain('[DONE]');
      statuses.push((await ask(agent, {})).status);
    }
    agent.destroy();
    expect(statuses).toEqual(Array(20).fill(200));
  });

  /** On the agent's one connection. */
  function ask(agent: Agent, more: object): Promise<{ status: number; text: string }> {
    const body = JSON.stringify({ model: 'gpt-6-luna', messages: [{ role: 'user', content: 'a' }], ...more });
    const headers = { ...chat.pro.headers, 'content-type': 'application/json', 'content-length': body.length };
    return new Promise((resolve, reject) => {
      const sent = request(`${chat.gateway.url}/v1/chat/completions`, { method: 'POST', agent, headers }, (answer) => {
        text(answer).then((all) => resolve({ status: answer.statusCode ?? 0, text: all }), reject);
      });
      sent.on('error', reject).end(body);
    });
  }

  it('is logged with its code and the request’s id', async () => {
    chat.upstream.enqueue(sse([BEGUN]));
    const response = await chat.ask({ stream: true });
    await errorIn(response);
    const requestId = response.headers.get('x-request-id');
    const line = await eventually(() =>
      chat.gateway.log.find((entry) => entry.requestId === requestId && entry.msg === 'request'),
    );
    expect(line).toMatchObject({ status: 200, code: 'upstream_incomplete' });
  });
});

describe('an upstream that is silent for long', () => {
  let chat: ChatTest;
  beforeAll(async () => {
    const settings = 'stream: { commitAfter: 100ms, heartbeat: 50ms }\nretry: { attempts: 2 }';
    chat = await ChatTest.start({ settings });
  });

  /** Requests a stream whose upstream waits for `go`; resolves when the head arrives. */
  async function committed(...scripts: Script[]) {
    const { promise, resolve: go } = Promise.withResolvers<void>();
    const [first = [], ...others] = scripts;
    chat.upstream.enqueue([gate(promise), first]);
    for (const script of others) chat.upstream.enqueue(script);
    const startedAt = performance.now();
    const response = await chat.ask({ stream: true });
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(95);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
    return { response, go };
  }

  it('makes the gateway send a head and heartbeats, then the answer', async () => {
    const { response, go } = await committed(stream(['Hello']));
    const text = await readWith(response, /^(?:: ping\n\n){3}/, go);
    expect(text).toMatch(/^(?:: ping\n\n){3,}data: .*"Hello".*data: \[DONE\]\n\n$/s);
  });

  it('makes it send heartbeats in pauses of the answer, too', async () => {
    const { promise, resolve: go } = Promise.withResolvers<void>();
    chat.upstream.enqueue(stream(['one', gate(promise), 'two']));
    const text = await readWith(await chat.ask({ stream: true }), /"one".*: ping\n\n: ping\n\n/s, go);
    expect(text).toMatch(/: ping\n\n: ping\n\n.*"two"/s);
  });

  it('makes it send the error event when the call fails after all', async () => {
    const { response, go } = await committed(refusal(400, 'Bad field.'));
    go();
    expect(await errorIn(response)).toMatchObject({ code: 'invalid_value', message: 'Bad field.' });
    expect(await chat.row(response)).toMatchObject({ status: 'failed', error_code: 'invalid_value' });
  });

  it('is retried as long as nothing of an answer arrived', async () => {
    const { response, go } = await committed(refusal(503), stream(['Hello']));
    go();
    const text = await response.text();
    expect(text).toMatch(/"Hello".*data: \[DONE\]\n\n$/s);
    expect((await chat.row(response)).attempts).toMatchObject([{ status: 503 }, { status: 200 }]);
  });

  it('gets no early head for a JSON answer', async () => {
    chat.upstream.enqueue([pause(250), refusal(400, 'Bad field.')]);
    expect((await chat.ask()).status).toBe(400);
    chat.upstream.enqueue([pause(250), completion()]);
    expect((await chat.ask()).status).toBe(200);
  });
});

/** Reads a stream whose upstream continues once the received part matches. */
async function readWith(response: Response, fits: RegExp, go: () => void): Promise<string> {
  let text = '';
  for await (const piece of response.body ?? []) {
    text += Buffer.from(piece).toString();
    if (fits.test(text)) go();
  }
  return text;
}

function secondChoice(): object {
  return { ...chunkOf({}), choices: [{ index: 1, delta: { role: 'assistant', content: 'x' }, finish_reason: null }] };
}
