import { once } from 'node:events';
import { createServer, type IncomingMessage, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { createUnzip, gzipSync } from 'node:zlib';
import { describe, expect, it, jest } from '@jest/globals';
import { readBody } from './request-body.js';

/** Larger than one read from a socket, and small enough to be buffered. */
const SIZE = 100_000;

describe('a body that has arrived in full before it is read', () => {
  it('is read completely', async () => {
    const sent = Buffer.alloc(SIZE, 'piece by piece ');
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const received = once(server, 'request') as Promise<[IncomingMessage]>;
    const client = send({ port, method: 'POST', headers: { 'content-length': SIZE } });
    client.on('error', () => {});
    client.end(sent);
    const [request] = await received;
    while (request.readableLength < SIZE) await new Promise((resolve) => setImmediate(resolve));
    const body = await readBody(request, { limit: 2 * SIZE });
    client.destroy();
    server.close();
    expect(body.equals(sent)).toBe(true);
  });
});

describe('concurrent compressed bodies', () => {
  const BODIES = 20;
  const BYTES = 1024 * 1024;

  it('are decompressed piece by piece, in separate turns of the event loop', async () => {
    const compressed = gzipSync(Buffer.alloc(BYTES, '{"a":[1,2,3]},'));
    const headers = { 'content-encoding': 'gzip' };
    let inTurn = 0;
    const perTurn: number[] = [];
    let goesOn = true;
    const turn = () => {
      if (inTurn > 0) perTurn.push(inTurn);
      inTurn = 0;
      if (goesOn) setImmediate(turn);
    };
    turn();
    const decoder: Readable = Object.getPrototypeOf(createUnzip());
    const resume = jest.spyOn(decoder, 'resume').mockImplementation(function (this: Readable) {
      inTurn++;
      return Readable.prototype.resume.call(this);
    });
    let pieces = 0;
    const refusal = () => {
      pieces++;
      return null;
    };
    const bodies = Array.from({ length: BODIES }, () => {
      const request = Object.assign(Readable.from([compressed]), { headers, complete: true });
      return readBody(request as unknown as IncomingMessage, { limit: BYTES, refusal });
    });
    for (const body of await Promise.all(bodies)) expect(body).toHaveLength(BYTES);
    goesOn = false;
    resume.mockRestore();
    expect(pieces).toBe(16 * BODIES);
    expect(perTurn.length).toBeGreaterThanOrEqual(16 * BODIES);
    expect(Math.max(...perTurn)).toBe(1);
  });
});
