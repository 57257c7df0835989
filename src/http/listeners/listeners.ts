import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, createServer, isIP, type Socket, Server as TcpServer } from 'node:net';
import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { holdPort, refuseTakenPort } from './taken-port.js';

/**
 * The event loop accepts one connection per socket and turn. With many more sockets, an overloaded process would accept
 * connections only to refuse their calls, which takes CPU from other calls.
 */
const COUNT = 8;

/**
 * The connections that the system queues for each socket; the system may allow fewer. If the queue is full, clients
 * retry after 1, 3, 7 and 15 s or get a reset.
 */
const BACKLOG = 256;

/** The HTTP server's own options. */
const OPTIONS = { allowHalfOpen: true, noDelay: true };

const SHORT_TURN_MS = 1;
/** After this time a longer turn is sufficient, and at the limit any turn. */
const SHORT_TURN_LIMIT_MS = 1000;
const QUIET_LIMIT_MS = 8000;

interface Place {
  readonly port: number;
  readonly host: string;
}

/** Listens on several sockets of one port, among which the system distributes connections. */
@Injectable()
export class Listeners {
  private others: TcpServer[] = [];
  private hold: TcpServer | null = null;
  private isReserved = false;
  private accepted = 0;

  constructor(private readonly adapter: HttpAdapterHost) {}

  async reserve({ port, host }: Place): Promise<void> {
    this.hold = await holdPort(port, host);
    try {
      await refuseTakenPort(port, host);
      this.isReserved = true;
    } catch (error) {
      this.hold?.close();
      throw error;
    }
  }

  /** `isShared`: other processes of the gateway will join. Resolves to the port; rejects if another program has it. */
  async open({ port, host, isShared }: Place & { isShared: boolean }): Promise<number> {
    if (!this.isReserved) await this.reserve({ port, host });
    try {
      return await this.join({ port, host });
    } catch (error) {
      // Some systems, such as macOS and Windows, cannot share a port between sockets.
      const isUnsupported = (error as NodeJS.ErrnoException).code === 'ENOTSUP';
      if (!isShared && isUnsupported) return (await listen(this.server, { port, host })).port;
      this.hold?.close();
      throw error;
    }
  }

  async join({ port, host }: Place): Promise<number> {
    const { server } = this;
    server.prependListener('connection', () => this.accepted++);
    const bound = await listen(server, { port, host, reusePort: true });
    const same = { port: bound.port, host: isIP(host) ? host : bound.address, reusePort: true };
    const toServer = (socket: Socket) => server.emit('connection', socket);
    this.others = Array.from({ length: COUNT - 1 }, () => createServer(OPTIONS, toServer));
    await Promise.all(this.others.map((other) => listen(other, same)));
    return bound.port;
  }

  /**
   * Stops accepting connections; open connections stay. Closing would reset connections that the system has queued, so
   * it waits for a short turn of the event loop without new ones.
   */
  async close(): Promise<void> {
    await this.quietTurn();
    // The HTTP server's own `close` would also cut off connections with an answer in progress.
    for (const one of [this.server, ...this.others]) TcpServer.prototype.close.call(one);
    this.hold?.close();
  }

  private async quietTurn(): Promise<void> {
    const beganAt = performance.now();
    for (let waitedMs = 0; waitedMs < QUIET_LIMIT_MS; ) {
      const { accepted } = this;
      await new Promise((resolve) => setImmediate(resolve));
      const turnMs = performance.now() - beganAt - waitedMs;
      waitedMs += turnMs;
      if (accepted === this.accepted && (turnMs < SHORT_TURN_MS || waitedMs > SHORT_TURN_LIMIT_MS)) return;
    }
  }

  private get server(): Server {
    return this.adapter.httpAdapter.getHttpServer();
  }
}

async function listen(server: TcpServer, place: Place & { reusePort?: boolean }): Promise<AddressInfo> {
  await once(server.listen({ ...place, backlog: BACKLOG }), 'listening');
  return server.address() as AddressInfo;
}
