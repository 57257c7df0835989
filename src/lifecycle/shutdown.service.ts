import type { Server } from 'node:http';
import { Injectable, Logger } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { serviceUnavailable } from '../common/gateway.errors.js';
import { ActiveCallsService } from '../completions/active-calls.service.js';
import { InjectSettings, type Settings } from '../config/settings.js';
import { ReadinessService } from '../health/readiness.service.js';

/** How long calls that were cut off may take to be written to the ledger. */
const CLOSING_MS = 5000;

/** The way out: not ready any more, no new connections, running answers end, what is left gets an error. */
@Injectable()
export class ShutdownService {
  private readonly logger = new Logger('Shutdown');

  constructor(
    private readonly readiness: ReadinessService,
    private readonly calls: ActiveCallsService,
    private readonly adapter: HttpAdapterHost,
    @InjectSettings() private readonly settings: Settings,
  ) {}

  /** Resolves when no call is under way; the ledger is flushed when the application closes after that. */
  async drain(): Promise<void> {
    const { drainDelay, deadline } = this.settings.shutdown;
    this.readiness.drain();
    this.logger.log('Shutting down: running answers may end.');
    await new Promise((resolve) => setTimeout(resolve, drainDelay));
    const server: Server = this.adapter.httpAdapter.getHttpServer();
    server.close();
    if (!(await this.calls.settled(deadline))) {
      this.logger.warn('The deadline has passed: what is still running is cut off.');
      this.calls.failAll(serviceUnavailable('The gateway is shutting down. Please try again.'));
      await this.calls.settled(CLOSING_MS);
    }
    server.closeAllConnections();
  }
}
