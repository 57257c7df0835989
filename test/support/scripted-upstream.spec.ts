import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { connect as connectTls } from 'node:tls';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createCertificate } from './certificate.js';
import { bytes, drip, end, gate, hang, json, pause, reply, reset, sse } from './script.js';
import { ScriptedUpstream } from './scripted-upstream.js';

describe('ScriptedUpstream', () => {
  let upstream: ScriptedUpstream;
  let client: Socket;

  beforeEach(async () => {
    upstream = await ScriptedUpstream.start();
    client = connect(upstream.port, '127.0.0.1').setNoDelay();
    client.on('error', () => undefined);
  });

  afterEach(async () => {
    client.destroy();
    await upstream.close();
  });

  it('records requests, also if they arrive byte by byte', async () => {
    upstream.enqueue([json(200, { ok: true }), end()]);
    const request = Buffer.from('POST /v1?x=1 HTTP/1.1\r\nX-A: 1\r\nx-a: 2\r\nContent-Length: 10\r\n\r\n{"a":"ü"}');
    for (const byte of request) client.write(Uint8Array.of(byte));
    expect(await text(client)).toMatch(/^HTTP\/1\.1 200 OK\r\n.*\r\n\r\n\{"ok":true\}$/s);
    expect(upstream.requests).toMatchObject([
      { method: 'POST', path: '/v1?x=1', headers: { 'x-a': '1, 2' }, body: '{"a":"ü"}', connection: 0 },
    ]);
    expect(upstream.requests[0]?.json()).toEqual({ a: 'ü' });
    expect(upstream.requests[0]?.abortedAt).toBeUndefined();
  });

  it('reads a chunked body', async () => {
    upstream.enqueue([reply(204), end()]);
    client.write('POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2');
    client.write('\r\nde\r\n0\r\n\r\n');
    await text(client);
    expect(upstream.requests[0]?.body).toBe('abcde');
  });

  it('answers the requests of one connection in turn, each by its script', async () => {
    upstream.enqueue([pause(20), reply(200, {}, 'first')]).always(({ path }) => [reply(200, {}, path), end()]);
    client.write('GET /a HTTP/1.1\r\n\r\nGET /b HTTP/1.1\r\n\r\n');
    expect(await text(client)).toMatch(/first.*\/b$/s);
    expect(upstream.connections).toBe(1);
  });

  it('streams events in separate chunks, with steps between them', async () => {
    const opened = Promise.withResolvers<void>();
    upstream.enqueue([sse([{ n: 1 }, gate(opened.promise), ': ping\n\n', pause(1)]), end()]);
    client.write('GET / HTTP/1.1\r\n\r\n');
    const [first] = (await once(client, 'data')) as [Buffer];
    opened.resolve();
    const rest = await text(client);
    expect(first.toString() + rest).toContain(
      '\r\n\r\nf\r\ndata: {"n":1}\n\n\r\n8\r\n: ping\n\n\r\ne\r\ndata: [DONE]\n\n\r\n0\r\n\r\n',
    );
  });

  it('sends bytes one by one', async () => {
    upstream.enqueue([drip('abc', 15), end()]);
    client.write('GET / HTTP/1.1\r\n\r\n');
    const pieces: string[] = [];
    for await (const piece of client) pieces.push(String(piece));
    expect(pieces.join('')).toBe('abc');
    expect(pieces.length).toBeGreaterThan(1);
  });

  it('resets a connection if the script says so', async () => {
    upstream.enqueue([bytes('HTTP/1.1 200'), pause(5), reset()]);
    client.write('GET / HTTP/1.1\r\n\r\n');
    await expect(text(client)).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(upstream.requests[0]?.abortedAt).toBeUndefined();
  });

  it('notices a client that disconnects before the end of the script', async () => {
    upstream.enqueue(hang());
    client.write('GET / HTTP/1.1\r\n\r\n');
    const request = await upstream.received();
    client.destroy();
    await request.aborted;
    expect(request.abortedAt).toBeGreaterThanOrEqual(request.receivedAt);
    expect(upstream.openConnections).toBe(0);
  });

  it('serves TLS with its own certificate', async () => {
    const certificate = createCertificate();
    const secure = await ScriptedUpstream.start({ tls: certificate });
    secure.enqueue([reply(200, {}, 'safe'), end()]);
    const socket = connectTls({ port: secure.port, host: '127.0.0.1', ca: certificate.cert });
    socket.write('GET / HTTP/1.1\r\n\r\n');
    expect(await text(socket)).toMatch(/safe$/);
    await secure.close();
    certificate.remove();
  });
});
