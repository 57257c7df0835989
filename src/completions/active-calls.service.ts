import { Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { type GatewayError, serviceUnavailable } from '../common/gateway.error.js';
import { Slots, type Slotted } from '../common/slots.js';
import { SessionService } from '../database/session.service.js';
import { logFailure } from '../telemetry/failure-log.js';
import { MetricsService } from '../telemetry/metrics.service.js';

export interface ActiveCall extends Slotted {
  /** The id of the call's ledger row. */
  readonly id: string;
  cutOff(error: GatewayError): void;
}

/** The calls in progress in this process: a shutdown waits for them and, in the end, aborts them. */
@Injectable()
export class ActiveCallsService {
  private readonly calls = new Slots<ActiveCall>();
  private idle: (() => void)[] = [];
  private refusal: GatewayError | undefined;

  constructor(metrics: MetricsService) {
    metrics.gauge('gateway_calls_in_flight', 'Calls in progress.', () => this.calls.size);
  }

  enter(call: ActiveCall): void {
    this.calls.add(call);
  }

  /** Called when the row is closed. */
  leave(call: ActiveCall): void {
    this.calls.remove(call);
    if (this.calls.size === 0) for (const resolve of this.idle.splice(0)) resolve();
  }

  async finished(): Promise<void> {
    if (this.calls.size > 0) await new Promise<void>((resolve) => this.idle.push(resolve));
  }

  assertOpen(): void {
    if (this.refusal) throw this.refusal;
  }

  /** Refuses new calls; calls in progress continue. */
  refuse(error: GatewayError): void {
    this.refusal = error;
  }

  get ids(): string[] {
    return Array.from(this.calls, ({ id }) => id);
  }

  fail(ids: ReadonlySet<string>, error: GatewayError): number {
    const lost = Array.from(this.calls).filter(({ id }) => ids.has(id));
    for (const call of lost) call.cutOff(error);
    return lost.length;
  }

  failAll(error: GatewayError): void {
    for (const call of this.calls) call.cutOff(error);
  }
}

const LOOK_BACK = '1 day';
const RETRY_MS = 1000;

/**
 * Ends calls in progress that another gateway closed as interrupted while this process was frozen or cut off from the
 * database. Their limits have been released, so other calls may use them. Runs once this process has its lock again,
 * as no other process closes its calls from then on.
 */
@Injectable()
export class LostCallsService {
  private readonly logger = new Logger('LostCalls');

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly active: ActiveCallsService,
    session: SessionService,
  ) {
    session.regained.subscribe(() => void this.look());
  }

  private async look(): Promise<void> {
    const { ids } = this.active;
    if (ids.length === 0) return;
    try {
      const lost: { id: string }[] = await this.dataSource.query(
        `SELECT id FROM usage_calls
         WHERE id = ANY ($1) AND started_at > now() - $2::interval AND status = 'interrupted'`,
        [ids, LOOK_BACK],
      );
      const count = this.active.fail(new Set(lost.map(({ id }) => id)), serviceUnavailable(REASON));
      if (count > 0) this.logger.warn(`${count} calls were ended: this process did not respond for too long.`);
    } catch (error) {
      logFailure(this.logger, 'The check for lost calls failed', error);
      setTimeout(() => void this.look(), RETRY_MS).unref();
    }
  }
}

const REASON = 'The gateway lost its connection to the database for too long and ended this call. Please try again.';
