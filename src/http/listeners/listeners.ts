import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, createServer, isIP, type Socket, Server as TcpServer } from 'node:net';
import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { holdPort, type PortHold, refuseTakenPort } from './taken-port.js';

/**
 * A turn of the event loop takes one new connection of each. Of many more, most would be taken to be turned away while there
 * is too much to do, which costs those that are served much of the processor.
 */
const COUNT = 8;

/**
 * Connections that the system makes for each before they are taken; it may allow fewer. What comes to a full queue is tried
 * again by its client's system after 1, 3, 7 and 15 s, or is reset.
 */
const BACKLOG = 256;

/** As the HTTP server has it where it takes connections itself. */
const OPTIONS = { allowHalfOpen: true, noDelay: true };

/** A turn of the event loop that takes longer gives new connections time to come. */
const SHORT_TURN_MS = 1;
/** After so long a longer turn will do, and at last any. */
const SHORT_TURN_LIMIT_MS = 1000;
const QUIET_LIMIT_MS = 8000;

interface Place {
  readonly port: number;
  readonly host: string;
}

/** Where the server of a process listens: at many sockets of one port, between which the system shares connections out. */
@Injectable()
export class Listeners {
  private others: TcpServer[] = [];
  private hold: PortHold | null = null;
  private isReserved = false;
  /** Connections so far. */
  private accepted = 0;

  constructor(private readonly adapter: HttpAdapterHost) {}

  /** Keeps the port for this gateway before it listens there; rejects where anybody else has it. */
  async reserve({ port, host }: Place): Promise<void> {
    this.hold = await holdPort(port, host);
    try {
      await refuseTakenPort(port, host);
      this.isReserved = true;
    } catch (error) {
      this.hold?.release();
      throw error;
    }
  }

  /** `isShared`: other processes of the gateway are to join. Resolves to the port; rejects where anybody else has it. */
  async open({ port, host, isShared }: Place & { isShared: boolean }): Promise<number> {
    if (!this.isReserved) await this.reserve({ port, host });
    try {
      return await this.join({ port, host });
    } catch (error) {
      if (!isShared && isUnsupported(error)) return (await listen(this.server, { port, host })).port;
      this.hold?.release();
      throw error;
    }
  }

  /** At the port of a gateway's first process. */
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
   * No new connections from here on; those that are open stay. Closing resets connections that the system has made and
   * that were not taken yet: it waits for a short turn of the event loop in which none came.
   */
  async close(): Promise<void> {
    await this.quietTurn();
    // An HTTP server's own `close` would also cut connections off whose answer is still on its way.
    for (const one of [this.server, ...this.others]) TcpServer.prototype.close.call(one);
    this.hold?.release();
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

/** The system cannot share a port between sockets, as macOS and Windows. */
function isUnsupported(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOTSUP';
}
