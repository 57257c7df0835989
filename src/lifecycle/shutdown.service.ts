import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { serviceUnavailable } from '../common/gateway.errors.js';
import { ActiveCallsService } from '../completions/call/active-calls.service.js';
import { InjectSettings, type Settings } from '../config/settings.js';
import { ReadinessService } from '../health/readiness.service.js';
import { Listeners } from '../http/listeners/listeners.js';
import { UsageLedgerService } from '../ledger/usage-ledger.service.js';
import { OpenResponses } from './open-responses.js';

/** How long the answers of calls whose rows are written may take to go out. */
const LAST_BYTES_MS = 2000;
/** A connection that has been idle for so long is hardly used at the moment at which it is closed. */
const QUIET_MS = 500;
const LOOK_MS = 20;

/** The way out: not ready any more, no new connections, running answers end, what is left gets an error. */
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
   * Resolves when no answer is under way; the ledger is flushed when the application closes after that. Calls on connections
   * that are kept are served to the end, each as its connection's last: who sends them cannot know. `isAlone`: no balancer
   * needs time to hear of it.
   */
  async drain({ isAlone }: { isAlone: boolean }): Promise<void> {
    const { drainDelay, deadline } = this.settings.shutdown;
    this.readiness.drain();
    this.logger.log('Shutting down: waiting for running answers to end.');
    if (!isAlone) await sleep(drainDelay);
    await this.listeners.close();
    this.responses?.closeConnections();
    if (!(await this.isQuiet(deadline))) await this.cutOff();
    this.server.closeAllConnections();
  }

  private async cutOff(): Promise<void> {
    this.logger.warn('The deadline has passed: answers that are still running are cut off.');
    this.calls.failAll(shuttingDown());
    // A stream that ends with an error leaves its connection to the next call.
    await this.isQuiet(QUIET_MS);
    this.calls.refuse(shuttingDown());
    this.calls.failAll(shuttingDown());
    // An answer that was paid for waits for its row as long as it would without the shutdown.
    await this.isOver(this.ledger.closingLimitMs + LAST_BYTES_MS);
  }

  /** True when nothing is under way and nothing has been for a moment, or nobody is connected. */
  private async isQuiet(ms: number): Promise<boolean> {
    const until = performance.now() + ms;
    while (await this.isOver(until - performance.now())) {
      const silentMs = this.responses?.silentMs ?? Infinity;
      if (silentMs >= QUIET_MS) return true;
      await sleep(Math.min(QUIET_MS - silentMs, LOOK_MS));
    }
    return false;
  }

  /** True when every call has its row and every response its last byte; false when that takes longer than `ms`. */
  private async isOver(ms: number): Promise<boolean> {
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
