import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type Socket, Server as TcpServer } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { HttpAdapterHost } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { Listeners } from './listeners.js';

const HOST = '127.0.0.1';
const REQUEST = 'GET / HTTP/1.1\r\nhost: x\r\n\r\n';

/** A server with these listeners, and its clients. */
class Listening {
  readonly server: Server = createServer((_request, response) => response.end('served'));
  readonly listeners: Listeners;
  readonly clients: Socket[] = [];
  taken = 0;
  port = 0;

  constructor() {
    const adapter = new ExpressAdapter();
    adapter.setHttpServer(this.server);
    const host = new HttpAdapterHost();
    host.httpAdapter = adapter;
    this.listeners = new Listeners(host);
    this.server.on('connection', () => this.taken++);
  }

  async open(port = 0, host = HOST): Promise<this> {
    this.port = await this.listeners.open({ port, host, isShared: false });
    return this;
  }

  connect(count = 1, host = HOST): Socket[] {
    const made = Array.from({ length: count }, () => connect(this.port, host));
    for (const client of made) client.on('error', () => undefined);
    this.clients.push(...made);
    return made;
  }

  async stop(): Promise<void> {
    for (const client of this.clients) client.destroy();
    await this.listeners.close();
    this.server.closeAllConnections();
  }
}

async function answerTo(client: Socket): Promise<string> {
  client.write(REQUEST);
  const [data] = (await once(client, 'data')) as [Buffer];
  return data.toString('latin1');
}

describe('the listeners of a gateway', () => {
  let first: Listening;
  let second: Listening;
  beforeEach(() => {
    first = new Listening();
    second = new Listening();
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await first.stop();
    await second.stop();
  });

  it('accept a burst of connections in a few turns of a busy event loop', async () => {
    await first.open();
    first.connect(500);
    // Counts turns with new connections, as the system may delay some.
    let turns = 0;
    let before = 0;
    const { promise: all, resolve } = Promise.withResolvers<void>();
    const turn = () => {
      if (first.taken > before) turns++;
      before = first.taken;
      if (first.taken === 500) resolve();
      else setImmediate(turn);
    };
    turn();
    await all;
    expect(turns).toBeLessThan(100);
  });

  it('pass every connection to the server', async () => {
    await first.open();
    const answers = await Promise.all(first.connect(100).map(answerTo));
    expect(answers.filter((answer) => answer.endsWith('served'))).toHaveLength(100);
    expect(first.server.address()).toMatchObject({ address: HOST, port: first.port });
  });

  it('serve IPv4 and IPv6 when they listen on all addresses', async () => {
    await first.open(0, '::');
    const clients = [...first.connect(20), ...first.connect(20, '::1')];
    for (const answer of await Promise.all(clients.map(answerTo))) expect(answer).toContain('served');
  });

  it('close immediately, while connections stay open', async () => {
    await first.open();
    const stored = first.connect(100);
    await Promise.all(stored.map(answerTo));
    await first.listeners.close();
    const late = first.connect(100);
    await Promise.all(late.map((client) => new Promise((resolve) => client.once('close', resolve))));
    expect(first.taken).toBe(100);
    for (const answer of await Promise.all(stored.map(answerTo))) expect(answer).toContain('served');
  });

  it('do not share a port with another gateway, even one that starts at the same time', async () => {
    await first.open();
    await expect(second.open(first.port)).rejects.toThrow('EADDRINUSE');
    await first.listeners.close();
    const another = new Listening();
    const both = await Promise.allSettled([second, another].map((one) => one.open(first.port)));
    await another.stop();
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  it('are a single socket if the system cannot share a port', async () => {
    const { listen } = TcpServer.prototype;
    const unsupported = Object.assign(new Error('listen ENOTSUP'), { code: 'ENOTSUP' });
    jest.spyOn(TcpServer.prototype, 'listen').mockImplementation(function (this: TcpServer, ...given: unknown[]) {
      if (!(given[0] as { reusePort?: boolean }).reusePort) return Reflect.apply(listen, this, given);
      process.nextTick(() => this.emit('error', unsupported));
      return this;
    });
    await first.open();
    expect(await Promise.all(first.connect(10).map(answerTo))).toHaveLength(10);
    await expect(second.listeners.open({ port: 0, host: HOST, isShared: true })).rejects.toThrow('ENOTSUP');
  });

  it('can listen again on a closed port', async () => {
    await first.open();
    await first.listeners.close();
    await second.open(first.port);
    expect(await Promise.all(second.connect(10).map(answerTo))).toHaveLength(10);
  });
});
