import { once } from 'node:events';
import { createServer, type IncomingMessage, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { readBody } from './request-body.js';

/** Larger than what a socket is read at a time, and not too large to wait as a whole. */
const SIZE = 100_000;

describe('a body that has come whole before it is read', () => {
  it('is taken with all its pieces', async () => {
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
