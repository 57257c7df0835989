import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Response } from 'express';
import { type Observable, of, Subject } from 'rxjs';
import { eventually } from '../../../test/support/eventually.js';
import { clientLeft } from '../../http/request-context.js';
import type { ChatCompletionChunk } from '../../upstreams/contract/chat.types.js';
import { upstreamIncomplete } from '../../upstreams/contract/upstream.error.js';
import { chatReply } from '../formats/chat.format.js';
import { type SseOptions, writeSse } from './sse.writer.js';

const REQUEST = 'GET / HTTP/1.1\r\nhost: x\r\n\r\n';
const HEAD_END = '\r\n\r\n';

describe('SseWriter', () => {
  let server: Server;
  let client: Socket;
  let chunks: Subject<unknown>;
  let received: string;
  let written: Promise<unknown>;
  let flow: string[];

  beforeEach(() => {
    chunks = new Subject();
    received = '';
    flow = [];
  });
  afterEach(async () => {
    client.destroy();
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });

  /** Answers one request with the writer. The client is a plain socket. */
  async function serve(
    options: Partial<SseOptions> = {},
    source: Observable<unknown> = chunks,
    requested = REQUEST,
  ): Promise<void> {
    const settings: Omit<SseOptions, 'left'> = {
      commitAfter: 10_000,
      heartbeat: 10_000,
      unreadLimit: () => 10_000,
      headers: () => ({ 'x-extra': '1' }),
      flow: () => ({ pause: () => flow.push('pause'), resume: () => flow.push('resume') }),
      toError: () => upstreamIncomplete(),
      ...options,
    };
    server = createServer((_request, reply) => {
      const response = reply as Response;
      const all = { left: clientLeft(response), ...settings };
      written = writeSse(response, source as Observable<ChatCompletionChunk>, chatReply, all).then(
        () => 'ended',
        (error: unknown) => {
          response.writeHead(502).end('refused');
          return error;
        },
      );
      server.emit('served');
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const served = once(server, 'served');
    client = connect((server.address() as AddressInfo).port, '127.0.0.1');
    client.on('data', (data) => (received += data));
    client.on('error', () => undefined);
    client.write(requested);
    await served;
  }

  async function receive(text: string): Promise<void> {
    await eventually(() => received.includes(text));
  }

  /** The body, decoded from its transfer chunks. */
  function body(): string {
    let rest = Buffer.from(received.slice(received.indexOf(HEAD_END) + HEAD_END.length));
    let text = '';
    while (rest.length > 0) {
      const start = rest.indexOf('\r\n') + 2;
      const end = start + Number.parseInt(rest.toString('latin1'), 16);
      text += rest.subarray(start, end);
      rest = rest.subarray(end + 2);
    }
    return text;
  }

  it('sends each chunk as one data line and ends with [DONE], LF only', async () => {
    await serve({}, of({ text: 'a\nb\r\n' }, { text: '世界' }));
    await receive('[DONE]');
    await written;
    expect(body()).toBe('data: {"text":"a\\nb\\r\\n"}\n\ndata: {"text":"世界"}\n\ndata: [DONE]\n\n');
  });

  it('sends the chunks of one turn together, and the chunks of the next turn separately', async () => {
    await serve();
    chunks.next('a');
    chunks.next('世');
    await receive('世');
    chunks.next('b');
    await receive('"b"');
    expect(received.slice(received.indexOf(HEAD_END) + HEAD_END.length)).toBe(
      '18\r\ndata: "a"\n\ndata: "世"\n\n\r\nb\r\ndata: "b"\n\n\r\n',
    );
    chunks.complete();
    await receive('0\r\n\r\n');
  });

  it('holds an answer back until the previous one on the same connection has ended', async () => {
    const first = new Subject<unknown>();
    await serve({}, first);
    const served = once(server, 'served');
    client.write(REQUEST);
    await served;
    first.next('a');
    await receive('"a"');
    first.next('b');
    await receive('"b"');
    first.complete();
    await eventually(() => received.split('[DONE]').length === 3);
    const sent = received.split('HTTP/1.1 200 OK').map((answer) => answer.match(/data: .*/g));
    expect(sent).toEqual([
      null,
      ['data: "a"', 'data: "b"', 'data: [DONE]'],
      ['data: "a"', 'data: "b"', 'data: [DONE]'],
    ]);
  });

  it('does not use chunked encoding for HTTP/1.0 clients', async () => {
    await serve({}, of({}), 'GET / HTTP/1.0\r\n\r\n');
    await once(client, 'end');
    expect(received.slice(received.indexOf(HEAD_END))).toBe(`${HEAD_END}data: {}\n\ndata: [DONE]\n\n`);
  });

  it('sends headers that prevent caching, buffering and transformation', async () => {
    await serve({}, of({}));
    await receive('[DONE]');
    const lines = received.slice(0, received.indexOf(HEAD_END)).split('\r\n');
    expect(lines.filter((line) => !/^date:/i.test(line))).toEqual([
      'HTTP/1.1 200 OK',
      'content-type: text/event-stream; charset=utf-8',
      'cache-control: no-cache, no-store, no-transform, private',
      'x-accel-buffering: no',
      'x-extra: 1',
      'Connection: keep-alive',
      'Keep-Alive: timeout=5',
      'Transfer-Encoding: chunked',
    ]);
  });

  it('holds the head back until the first chunk, so that an earlier error can be sent as a status', async () => {
    await serve();
    const error = upstreamIncomplete();
    chunks.error(error);
    await receive('refused');
    expect(await written).toBe(error);
    expect(received).toMatch(/^HTTP\/1\.1 502 /);
    expect(received).not.toContain('text/event-stream');
  });

  it('sends the head after the configured silence, then heartbeats until there are chunks', async () => {
    await serve({ commitAfter: 20, heartbeat: 20 });
    await eventually(() => received.split('ping').length > 3);
    expect(body()).toMatch(/^(: ping\n\n){3,}$/);
    chunks.next({ text: 'a' });
    chunks.complete();
    await receive('[DONE]');
    expect(body()).toMatch(/^(: ping\n\n){3,}data: \{"text":"a"\}\n\n(: ping\n\n)*data: \[DONE\]\n\n$/);
  });

  it('sends no heartbeats while chunks are more frequent', async () => {
    await serve({ heartbeat: 1000 });
    for (let i = 0; i < 12; i++) {
      chunks.next(i);
      await sleep(100);
    }
    chunks.complete();
    await receive('[DONE]');
    expect(received).not.toContain('ping');
  });

  it('sends an error after the head as an event, without [DONE], and keeps the connection', async () => {
    await serve();
    chunks.next({ text: 'a' });
    await receive('"a"');
    chunks.error(upstreamIncomplete());
    await receive('0\r\n\r\n');
    await written;
    expect(body()).toBe(`data: {"text":"a"}\n\ndata: ${JSON.stringify({ error: upstreamIncomplete().body })}\n\n`);
    expect(received.endsWith('0\r\n\r\n')).toBe(true);
    await sleep(50);
    expect(client.readableEnded).toBe(false);
  });

  it('keeps the connection after a stream that succeeded', async () => {
    await serve({}, of({}));
    await receive('0\r\n\r\n');
    received = '';
    client.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
    await receive('0\r\n\r\n');
    expect(received).toMatch(/^HTTP\/1\.1 200 /);
  });

  it.each([
    ['before the head', false],
    ['in the middle of the stream', true],
  ])('unsubscribes when the client disconnects %s', async (_when, begun) => {
    await serve();
    if (begun) {
      chunks.next({ text: 'a' });
      await receive('"a"');
    }
    expect(chunks.observed).toBe(true);
    client.destroy();
    expect(await written).toBe('ended');
    expect(chunks.observed).toBe(false);
  });

  const piece = { text: 'x'.repeat(512 * 1024) };

  /** Writes until the client's and the system's buffers are full. */
  async function fill(): Promise<number> {
    client.pause();
    for (let sent = 1; ; sent++) {
      chunks.next(piece);
      await sleep(flow.at(-1) === 'pause' ? 50 : 0);
      // A busy process notices free space only in later turns.
      for (let turn = 0; turn < 10; turn++) await nextTurn();
      if (flow.at(-1) === 'pause') return sent;
    }
  }

  it('pauses the source while the client does not read, and resumes it afterwards', async () => {
    await serve();
    const sent = await fill();
    client.resume();
    await eventually(() => flow.at(-1) === 'resume');
    chunks.complete();
    await receive('[DONE]');
    expect(received.match(/data: \{/g)).toHaveLength(sent);
  });

  it('disconnects a client that reads nothing for the configured time, and unsubscribes', async () => {
    await serve({ unreadLimit: () => 100, heartbeat: 10 });
    await fill();
    expect(await written).toBe('ended');
    expect(received).not.toContain('[DONE]');
  });

  it('disconnects a client that leaves the end of its stream unread', async () => {
    await serve({ unreadLimit: () => 100 });
    await fill();
    chunks.complete();
    expect(await written).toBe('ended');
  });

  it('tolerates a client that reads slowly', async () => {
    await serve({ unreadLimit: () => 1000 });
    const sent = await fill();
    chunks.complete();
    // It reads a limited amount at once, so that everything takes two seconds, independent of the system's buffers.
    const reads = (sent * piece.text.length) / (64 * 1024);
    client.on('data', () => {
      client.pause();
      setTimeout(() => client.resume(), 2000 / reads);
    });
    const startedAt = performance.now();
    client.resume();
    await receive('[DONE]');
    expect(performance.now() - startedAt).toBeGreaterThan(1500);
    expect(received.match(/data: \{/g)).toHaveLength(sent);
  });
});
