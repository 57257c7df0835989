import { once } from 'node:events';
import { createServer, type IncomingMessage, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough, Readable } from 'node:stream';
import { createUnzip, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { BodyBudget, BufferedBody, readBody } from './request-body.js';

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

describe('a body that arrives slowly', () => {
  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  function begin(headers: Record<string, string> = {}) {
    const request = Object.assign(new PassThrough(), { headers, complete: false });
    const body = readBody(request as unknown as IncomingMessage, { limit: 10 * SIZE });
    const outcome = Promise.resolve(body).then(
      ({ length }) => length,
      ({ status }: { status: number }) => status,
    );
    return { request, outcome };
  }

  it('is a 408 if it does not go on', async () => {
    const { request, outcome } = begin();
    request.write('{');
    await jest.advanceTimersByTimeAsync(29_000);
    expect(await Promise.race([outcome, Promise.resolve('waits')])).toBe('waits');
    await jest.advanceTimersByTimeAsync(1001);
    expect(await outcome).toBe(408);
  });

  it('has a second more for each 100 kB', async () => {
    const { request, outcome } = begin();
    for (let second = 0; second < 60; second++) {
      request.write(Buffer.alloc(SIZE / 10));
      await jest.advanceTimersByTimeAsync(500);
    }
    request.write(Buffer.alloc(3 * SIZE));
    await jest.advanceTimersByTimeAsync(5000);
    expect(await Promise.race([outcome, Promise.resolve('waits')])).toBe('waits');
    request.end();
    expect(await outcome).toBe(9 * SIZE);
  });
});

const full = { status: 503, headers: { 'retry-after': '1' }, body: { code: 'overloaded' } };
const ownerIsFull = { status: 429, headers: { 'retry-after': '1' }, body: { code: 'rate_limit_exceeded' } };

describe('the budget of bodies', () => {
  it('gives one owner half of the bytes, and others the rest', () => {
    const budget = new BodyBudget(100);
    const [first, second, other] = [
      new BufferedBody(budget, 'a'),
      new BufferedBody(budget, 'a'),
      new BufferedBody(budget, 'b'),
    ];
    expect(first.take(30)).toBeNull();
    expect(second.take(20)).toBeNull();
    expect(second.take(1)).toMatchObject(ownerIsFull);
    expect(new BufferedBody(budget, 'a').refusal(1)).toMatchObject(ownerIsFull);
    expect(other.take(50)).toBeNull();
    expect(new BufferedBody(budget, 'c').refusal(1)).toMatchObject(full);
  });

  it('gives all bytes to an owner’s only body', () => {
    const budget = new BodyBudget(100);
    const only = new BufferedBody(budget, 'a');
    for (let i = 0; i < 10; i++) expect(only.take(10)).toBeNull();
    expect(only.take(1)).toMatchObject(full);
  });

  it('is free again after the requests have ended', () => {
    const budget = new BodyBudget(100);
    const bodies = [new BufferedBody(budget, 'a'), new BufferedBody(budget, 'b'), new BufferedBody(budget, 'a')];
    for (const body of bodies) expect(body.take(20)).toBeNull();
    for (const body of bodies) body.release();
    expect(new BufferedBody(budget, 'a').refusal(100)).toBeNull();
  });

  it('accepts nothing for a request that has ended', () => {
    const budget = new BodyBudget(100);
    const body = new BufferedBody(budget, 'a');
    body.release();
    expect(body.take(10)).toMatchObject({ status: 400 });
    expect(new BufferedBody(budget, 'b').refusal(100)).toBeNull();
  });
});
