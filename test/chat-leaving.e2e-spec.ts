import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { TokenCounter } from '../src/upstreams/tokens/token-counter.js';
import { chunkOf, completion, stream } from './support/chat-answers.js';
import { ChatTest, QUESTION } from './support/chat-test.js';
import { eventually } from './support/eventually.js';
import { liveBytes } from './support/live-bytes.js';
import { LostTime } from './support/lost-time.js';
import { bytes, chunk, hang, head, type Script, type Step } from './support/script.js';
import { StreamReader } from './support/stream-reader.js';
import { CONNECTION_BYTES } from './support/system-buffers.js';

const MEGABYTE = 1024 * 1024;

const chat = await ChatTest.start({
  settings: 'stream: { commitAfter: 100ms, heartbeat: 50ms }',
  clocks: '{ idle: 4s }',
});
await chat.gateway.services.get(TokenCounter).count('warm');

const jsonHead = head(200, { 'content-type': 'application/json', 'content-length': '99999' });
const streamHead = head(200, { 'content-type': 'text/event-stream', 'transfer-encoding': 'chunked' });
const wordy = Buffer.from(
  `data: ${JSON.stringify(chunkOf({ role: 'assistant', content: 'x'.repeat(64 * 1024) }))}\n\n`,
);

describe('a client that disconnects ends its upstream request within a second', () => {
  it.each<[string, Script, boolean]>([
    ['in the wait for the head', hang(), false],
    ['in the wait for the head of a stream', hang(), true],
    ['in the middle of a JSON answer', [jsonHead, bytes('{"id":'), hang()], false],
    ['before the first event', [streamHead, chunk(': hi\n\n'), hang()], true],
  ])('%s', async (_when, script, streamed) => {
    chat.upstream.enqueue(script);
    const client = new AbortController();
    const requested = chat.ask({ stream: streamed }, { signal: client.signal });
    const left = requested.then((response) => response.text()).catch(() => 'left');
    const request = await chat.upstream.received(chat.upstream.requests.length + 1);
    await sleep(50);
    const [leftAt, lost] = [performance.now(), new LostTime()];
    client.abort();
    await request.aborted;
    expect((request.abortedAt ?? 0) - leftAt).toBeLessThan(1000 + lost.stop());
    expect(await left).toBe('left');
    const row = await chat.row();
    expect(row).toMatchObject({
      status: 'aborted',
      error_code: 'client_closed',
      charge: { basis: 'time' },
      attempts: [{ outcome: 'aborted' }],
    });
    expect(Number(row.output_tokens)).toBeGreaterThan(0);
  });

  it('a client that disconnects ends its upstream request within a second in the middle of a stream, whose row has the tokens so far', async () => {
    chat.upstream.enqueue(stream(['Hello there, how are you?', hang()]));
    const reader = new StreamReader(await chat.ask({ stream: true }));
    await reader.until((event) => event.includes('Hello'));
    const [leftAt, lost] = [performance.now(), new LostTime()];
    await reader.leave();
    const request = await chat.upstream.received(chat.upstream.requests.length);
    await request.aborted;
    expect((request.abortedAt ?? 0) - leftAt).toBeLessThan(1000 + lost.stop());
    const row = await chat.row();
    expect(row).toMatchObject({
      status: 'aborted',
      error_code: 'client_closed',
      token_source: 'estimated',
      finish_reason: null,
      first_token_ms: expect.any(Number),
      attempts: [expect.objectContaining({ outcome: 'aborted' })],
    });
    expect(Number(row.output_tokens)).toBeGreaterThanOrEqual(7);
    expect(Number(row.input_tokens)).toBeGreaterThan(5);
  });

  it('a client that disconnects ends its upstream request within a second during heartbeats, before anything of its answer', async () => {
    chat.upstream.enqueue(hang());
    const response = await chat.ask({ stream: true });
    await response.body?.cancel();
    await (await chat.upstream.received(chat.upstream.requests.length)).aborted;
    expect(await chat.row(response)).toMatchObject({ status: 'aborted', first_token_ms: null });
  });
});

describe('a client that does not read', () => {
  /** A bare socket that has sent a request, and reads only on demand. */
  function lazyClient(streamed = true): Socket {
    const { hostname, port } = new URL(chat.gateway.url);
    const client = connect(Number(port), hostname);
    const body = JSON.stringify({ ...QUESTION, stream: streamed });
    const lines = ['Host: x', `Authorization: ${chat.pro.headers.authorization}`, 'Content-Type: application/json'];
    client.on('error', () => undefined);
    client.pause();
    client.write(
      `POST /v1/chat/completions HTTP/1.1\r\n${lines.join('\r\n')}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    return client;
  }

  /** An upstream that sends as fast as it is read, and counts. */
  function endless() {
    const upstream = { sent: 0 };
    const go: Step = async (wire) => {
      while (!wire.gone) {
        await chunk(wordy)(wire);
        upstream.sent += wordy.length;
      }
    };
    chat.upstream.enqueue([streamHead, go]);
    return upstream;
  }

  async function untilUnchanged(upstream: { sent: number }): Promise<number> {
    let before = -1;
    for (let still = 0; still < 3; still = before === upstream.sent && before > 0 ? still + 1 : 0) {
      before = upstream.sent;
      await sleep(150);
    }
    return upstream.sent;
  }

  it('pauses its upstream, and resumes it by reading', async () => {
    const upstream = endless();
    const memory = liveBytes();
    const client = lazyClient();
    const still = await untilUnchanged(upstream);
    expect(still).toBeLessThan(2 * CONNECTION_BYTES + 8 * MEGABYTE);
    expect(liveBytes() - memory).toBeLessThan(8 * MEGABYTE);
    let received = 0;
    client.on('data', (data) => (received += data.length)).resume();
    await eventually(() => received > still + 20 * MEGABYTE);
    client.destroy();
    await (await chat.upstream.received(chat.upstream.requests.length)).aborted;
    expect((await chat.row()).status).toBe('aborted');
  });

  it('is disconnected after the idle limit, together with its upstream', async () => {
    const upstream = endless();
    const client = lazyClient();
    const still = await untilUnchanged(upstream);
    const request = await chat.upstream.received(chat.upstream.requests.length);
    await request.aborted;
    expect((request.abortedAt ?? 0) - request.receivedAt).toBeGreaterThan(3900);
    expect(upstream.sent).toBeLessThan(still + 2 * MEGABYTE);
    expect(await chat.row()).toMatchObject({ status: 'aborted', error_code: 'client_closed' });
    client.destroy();
  });

  it('is also disconnected during a JSON answer, which is charged', async () => {
    chat.upstream.enqueue(completion('x'.repeat(30 * MEGABYTE)));
    const logged = chat.gateway.log.length;
    const client = lazyClient(false);
    const line = await eventually(() => chat.gateway.log.slice(logged).find(({ msg }) => msg === 'request'));
    expect(line).toMatchObject({ status: 200, left: true });
    expect((await chat.row()).status).toBe('settled');
    client.destroy();
  });
});
