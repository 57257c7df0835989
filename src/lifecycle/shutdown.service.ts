import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { serviceUnavailable } from '../common/gateway.error.js';
import { Slots, type Slotted } from '../common/slots.js';
import { ActiveCallsService } from '../completions/active-calls.service.js';
import { InjectSettings, type Settings } from '../config/settings.js';
import { ReadinessService } from '../health/readiness.service.js';
import { Listeners } from '../http/listeners/listeners.js';
import { UsageLedgerService } from '../ledger/usage-ledger.service.js';

const LAST_BYTES_MS = 2000;
/** A connection idle for this long is unlikely to be used at the moment it is closed. */
const QUIET_MS = 500;
const LOOK_MS = 20;

/**
 * Shuts down: reports not ready, accepts no new connections, lets running answers end, and ends the others with an
 * error.
 */
@Injectable()
export class ShutdownService implements OnApplicationBootstrap {
  private readonly logger = new Logger('Shutdown');
  private responses: OpenResponses | undefined;

  constructor(
    private readonly readiness: ReadinessService,
    private readonly calls: ActiveCallsService,
    private readonly adapter: HttpAdapterHost,
    private readonly ledger: UsageLedgerService,
    private readonly listeners: Listeners,
    @InjectSettings() private readonly settings: Settings,
  ) {}

  onApplicationBootstrap(): void {
    this.responses = new OpenResponses(this.server);
  }

  /**
   * Resolves when no answer is in progress; the ledger is flushed later, when the application closes. Calls on open
   * connections are served, each as the last one of its connection. `isAlone`: there is no load balancer that needs
   * time to notice.
   */
  async drain({ isAlone }: { isAlone: boolean }): Promise<void> {
    const { drainDelay, deadline } = this.settings.shutdown;
    this.readiness.drain();
    this.logger.log('Shutting down: waiting for running answers to end.');
    if (!isAlone) await sleep(drainDelay);
    await this.listeners.close();
    this.responses?.closeConnections();
    if (!(await this.becomesQuiet(deadline))) await this.cutOff();
    this.server.closeAllConnections();
  }

  private async cutOff(): Promise<void> {
    this.logger.warn('The deadline has passed: answers that are still running are cut off.');
    this.calls.failAll(shuttingDown());
    // A stream that ends with an error may be followed by another call on its connection.
    await this.becomesQuiet(QUIET_MS);
    this.calls.refuse(shuttingDown());
    this.calls.failAll(shuttingDown());
    // Complete answers wait for their rows as long as without a shutdown.
    await this.ends(this.ledger.closingLimitMs + LAST_BYTES_MS);
  }

  /** True when nothing was in progress for a moment, or there are no connections. */
  private async becomesQuiet(ms: number): Promise<boolean> {
    const until = performance.now() + ms;
    while (await this.ends(until - performance.now())) {
      const silentMs = this.responses?.silentMs ?? Infinity;
      if (silentMs >= QUIET_MS) return true;
      await sleep(Math.min(QUIET_MS - silentMs, LOOK_MS));
    }
    return false;
  }

  /** True when every call has its row and every response its last byte within `ms`. */
  private async ends(ms: number): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined;
    const limit = new Promise<false>((resolve) => {
      timer = setTimeout(resolve, ms, false);
    });
    const over = Promise.all([this.calls.finished(), this.responses?.finished()]).then(() => true);
    return Promise.race([over, limit]).finally(() => clearTimeout(timer));
  }

  private get server(): Server {
    return this.adapter.httpAdapter.getHttpServer();
  }
}

function shuttingDown() {
  return serviceUnavailable('The gateway is shutting down. Please try again.');
}

class OpenResponses {
  private readonly responses = new Slots<OpenResponse>();
  private closing = false;
  private idle: (() => void) | undefined;
  private connections = 0;
  /** `performance.now()` */
  private endedAt = 0;

  constructor(server: Server) {
    server.prependListener('request', (_request, response: ServerResponse) => this.add(response));
    server.prependListener('connection', (socket: Socket) => {
      this.connections++;
      socket.once('close', () => this.connections--);
    });
  }

  /** ms since the last response ended; Infinity without connections. */
  get silentMs(): number {
    return this.connections === 0 ? Infinity : performance.now() - this.endedAt;
  }

  /** Makes each further response close its connection, so that the client reconnects to another process. */
  closeConnections(): void {
    this.closing = true;
    this.endedAt = performance.now();
    for (const { response } of this.responses) endConnectionAfter(response);
  }

  /** Resolves when all completely received requests are answered. */
  async finished(): Promise<void> {
    if (this.hasUnanswered()) await new Promise<void>((resolve) => (this.idle = resolve));
  }

  private hasUnanswered(): boolean {
    return [...this.responses].some(({ response }) => response.req.complete);
  }

  private add(response: ServerResponse): void {
    const open: OpenResponse = { response, slot: -1 };
    this.responses.add(open);
    if (this.closing) endConnectionAfter(response);
    response.once('close', () => {
      this.responses.remove(open);
      this.endedAt = performance.now();
      if (this.idle && !this.hasUnanswered()) this.idle();
    });
  }
}

interface OpenResponse extends Slotted {
  readonly response: ServerResponse;
}

function endConnectionAfter(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('connection', 'close');
}
