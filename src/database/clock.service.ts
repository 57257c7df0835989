import { Injectable, Logger } from '@nestjs/common';
import type pg from 'pg';

/** Smaller differences are ignored, so that measurement errors do not make time jump. */
const AGREEMENT_MS = 1000;
/** Larger differences raise an alarm, and stop deletions. */
const ALARM_MS = 300_000;
const ALARM_PAUSE_MS = 3_600_000;

/**
 * The database's clock, shared by all processes and used for all expiry and deletion, in case this machine's clock is
 * wrong. It is measured five times a second by the check of the database session.
 */
@Injectable()
export class ClockService {
  private readonly logger = new Logger('Clock');
  /** Database time minus local time, in ms. */
  private difference = 0;
  private alarmedAt: number | null = null;

  /** ms since 1970, like `Date.now()`. */
  now(): number {
    return Date.now() + this.difference;
  }

  date(): Date {
    return new Date(this.now());
  }

  get isUnreliable(): boolean {
    return Math.abs(this.difference) > ALARM_MS;
  }

  /** Queries the database's time; returns the time of the query (`performance.now()`). */
  async synchronize(client: pg.ClientBase): Promise<number> {
    const requestedAt = performance.now();
    const { rows } = await client.query<{ now: number }>(
      'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now',
    );
    if (rows[0]) this.measure(rows[0].now, requestedAt);
    return requestedAt;
  }

  /** `databaseMs`: the database's time at some moment since `askedAt` (`performance.now()`). */
  measure(databaseMs: number, requestedAt: number): void {
    const uncertainty = (performance.now() - requestedAt) / 2;
    const difference = databaseMs - (Date.now() - uncertainty);
    this.difference = Math.abs(difference) > AGREEMENT_MS + uncertainty ? difference : 0;
    this.alarm();
  }

  private alarm(): void {
    if (!this.isUnreliable) {
      this.alarmedAt = null;
      return;
    }
    const now = performance.now();
    if (this.alarmedAt !== null && now - this.alarmedAt < ALARM_PAUSE_MS) return;
    this.alarmedAt = now;
    const seconds = Math.round(-this.difference / 1000);
    this.logger.error(
      `This machine's clock is ${Math.abs(seconds)} s ${seconds > 0 ? 'ahead of' : 'behind'} the database's. ` +
        'One of them is wrong: no usage is deleted until it is corrected.',
    );
  }
}
