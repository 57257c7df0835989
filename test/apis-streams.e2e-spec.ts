import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { type ApiRow, SHARED_ANSWER_TABLE, SHARED_STREAMED_TABLE, STREAMED_TABLE } from './support/api-table.js';
import { ApiTest, answerOf, expectStreamError, PROMPT, TEXTS } from './support/api-test.js';
import { eventually } from './support/eventually.js';
import { chunk, gate, hang, json, pause, type Step } from './support/script.js';
import { CONNECTION_BYTES } from './support/system-buffers.js';

const MEGABYTE = 1024 * 1024;

const test = await ApiTest.start('retry: { attempts: 1 }\nstream: { commitAfter: 100ms, heartbeat: 50ms }');

/** Reads a stream piece by piece. */
class Reading {
  text = '';
  private readonly reader;

  constructor(response: Response) {
    this.reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  }

  /** Reads until the text so far fits, or to the end. */
  async until(fits: (text: string) => boolean = () => false): Promise<string> {
    while (!fits(this.text)) {
      const piece = await this.reader?.read();
      if (!piece || piece.done) break;
      this.text += piece.value;
    }
    return this.text;
  }
}

describe.each(STREAMED_TABLE)('a stream: %s', (_name, row) => {
  const { client, wire } = row;
  const ask = (variant = '') => test.ask(row, { stream: true }, { variant });

  it('has heartbeats while the upstream is silent after its first text', async () => {
    const { promise, resolve: goOn } = Promise.withResolvers<void>();
    test.a.enqueue(answerOf(row, true, [gate(promise)]));
    const reading = new Reading(await ask());
    const { length } = await reading.until((text) => client.readStream(wholeEvents(text)).text === TEXTS[0]);
    await reading.until((text) => text.slice(length).includes(client.heartbeat));
    goOn();
    const whole = { text: TEXTS.join(''), error: null, isWhole: true };
    expect(client.readStream(await reading.until())).toEqual(whole);
  });

  it('has its row closed before the last event', async () => {
    for (let turn = 0; turn < 5; turn++) {
      test.a.enqueue(answerOf(row, true));
      const response = await ask();
      await new Reading(response).until((text) => client.readStream(wholeEvents(text)).isWhole);
      const rows = await test.gateway.database.query('SELECT status FROM usage_calls WHERE request_id = $1', [
        response.headers.get('x-request-id'),
      ]);
      expect(rows).toEqual([{ status: 'settled' }]);
    }
  });

  it('ends with an error event when its upstream falls silent', async () => {
    test.a.enqueue(wire.stream([TEXTS[0], hang()]));
    const response = await ask('-idle');
    expectStreamError(row, await response.text(), { status: 504, code: 'upstream_timeout' });
    expect(await test.row(response)).toMatchObject({ status: 'failed', error_code: 'upstream_timeout' });
  });
});

describe.each(STREAMED_TABLE.filter(([, { client }]) => client.api === 'responses'))('a stream: %s', (_name, row) => {
  it("says in its error how long to wait when its upstream's rate limit is reached after the head", async () => {
    test.a.enqueue([pause(300), json(429, { error: { message: 'Slower.' } }, { 'retry-after': '20' })]);
    const text = await (await test.ask(row, { stream: true })).text();
    const error = { code: 'rate_limit_exceeded', message: expect.stringMatching(/ Please try again in 20s\.$/) };
    expect(row.client.readStream(text).error).toMatchObject(error);
    expect(JSON.parse(text.slice(text.lastIndexOf('data: ') + 6))).toMatchObject({ response: { error } });
  });
});

describe.each(SHARED_STREAMED_TABLE)('a stream: %s', (_name, row) => {
  const { client, wire } = row;

  it('has heartbeats before the upstream answers', async () => {
    const { promise, resolve: goOn } = Promise.withResolvers<void>();
    test.a.enqueue([gate(promise), answerOf(row, true)]);
    const response = await test.ask(row, { stream: true });
    const reading = new Reading(response);
    expect(await reading.until((text) => text.split(client.heartbeat).length > 2)).toContain(client.heartbeat);
    goOn();
    expect(client.readStream(await reading.until())).toMatchObject({ error: null, isWhole: true });
    expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/);
  });

  it('ends its upstream request within a second when its client disconnects', async () => {
    const leaving = new AbortController();
    test.a.enqueue(wire.stream([TEXTS[0], hang()]));
    const response = await test.ask(row, { stream: true }, { signal: leaving.signal });
    await new Reading(response).until((text) => client.readStream(wholeEvents(text)).text !== '');
    leaving.abort();
    await eventually(() => test.a.requests.at(-1)?.abortedAt, 1000);
    expect(await test.row(response)).toMatchObject({ status: 'aborted', error_code: 'client_closed' });
  });

  it('is read from its upstream no faster than its client reads', async () => {
    const flood = floodOf(row);
    test.a.enqueue(wire.stream([TEXTS[0], flood.step]));
    const arrived = test.a.received(test.a.requests.length + 1);
    const socket = pausedClient(row);
    await arrived;
    expect(await untilUnchanged(flood)).toBeLessThan(2 * CONNECTION_BYTES + 8 * MEGABYTE);
    socket.destroy();
    await (await arrived).aborted;
  });
});

describe.each(SHARED_ANSWER_TABLE)('a call without an answer yet: %s', (_name, row, stream) => {
  it('ends its upstream request within a second when its client disconnects', async () => {
    const leaving = new AbortController();
    const arrived = test.a.received(test.a.requests.length + 1);
    test.a.enqueue(hang());
    const requested = test.ask(row, stream ? { stream } : {}, { signal: leaving.signal }).catch(() => undefined);
    const request = await arrived;
    leaving.abort();
    await requested;
    await eventually(() => request.abortedAt, 1000);
    const last = 'SELECT api, stream, status, error_code FROM usage_calls ORDER BY started_at DESC LIMIT 1';
    const [closed] = await eventually(async () => {
      const rows = await test.gateway.database.query<Record<string, unknown>>(last);
      return rows[0]?.status === 'open' ? undefined : rows;
    });
    expect(closed).toEqual({ api: row.client.api, stream, status: 'aborted', error_code: 'client_closed' });
  });
});

/** Without an incomplete event. */
const wholeEvents = (text: string) => text.slice(0, text.lastIndexOf('\n\n') + 2);

/** An upstream that sends texts as fast as they are read, and counts their bytes. */
function floodOf({ wire }: ApiRow) {
  const piece = wire.textEvent('x'.repeat(64 * 1024));
  const flood = { sent: 0, step: (() => undefined) as Step };
  flood.step = async (connection) => {
    for (; !connection.gone && flood.sent < 200 * MEGABYTE; flood.sent += piece.length) await chunk(piece)(connection);
  };
  return flood;
}

/** A client that sends the row's question and reads nothing. */
function pausedClient({ client, model }: ApiRow) {
  const { hostname, port } = new URL(test.gateway.url);
  const body = JSON.stringify({ ...client.question(model, PROMPT), stream: true });
  const headers = {
    ...client.headers,
    ...client.keyHeaders(test.user.key.key),
    'content-type': 'application/json',
    'content-length': String(body.length),
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const socket = connect(Number(port), hostname).on('error', () => undefined);
  socket.pause();
  socket.write(`POST ${client.path(model)} HTTP/1.1\r\nhost: a\r\n${lines.join('')}\r\n${body}`);
  return socket;
}

async function untilUnchanged(flood: { readonly sent: number }): Promise<number> {
  let before = -1;
  for (let still = 0; still < 3; still = before === flood.sent && before > 0 ? still + 1 : 0) {
    before = flood.sent;
    await sleep(150);
  }
  return flood.sent;
}
