import { Injectable, Logger } from '@nestjs/common';
import type pg from 'pg';

/** Clocks that agree to within this are taken for one: time shall not jump by what a measurement is uncertain by. */
const AGREEMENT_MS = 1000;
/** Clocks that differ by more are an alarm, and nothing is thrown away by them. */
const ALARM_MS = 300_000;
const ALARM_PAUSE_MS = 3_600_000;

/**
 * The database's clock, which all processes share: whatever expires, begins or is thrown away does so by it, should this
 * machine's own clock be wrong. It is measured five times a second with the test of the database session.
 */
@Injectable()
export class ClockService {
  private readonly logger = new Logger('Clock');
  /** The database's time less ours, in ms. */
  private difference = 0;
  private alarmedAt: number | null = null;

  /** ms since 1970, as `Date.now()`. */
  now(): number {
    return Date.now() + this.difference;
  }

  date(): Date {
    return new Date(this.now());
  }

  /** One of the two clocks must be wrong. */
  get isInDoubt(): boolean {
    return Math.abs(this.difference) > ALARM_MS;
  }

  /** Asks the database; returns when (`performance.now()`). */
  async ask(client: pg.ClientBase): Promise<number> {
    const askedAt = performance.now();
    const { rows } = await client.query<{ now: number }>(
      'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now',
    );
    if (rows[0]) this.measure(rows[0].now, askedAt);
    return askedAt;
  }

  /** What the database's clock showed at some time since `askedAt` (`performance.now()`). */
  measure(databaseMs: number, askedAt: number): void {
    const uncertainty = (performance.now() - askedAt) / 2;
    const difference = databaseMs - (Date.now() - uncertainty);
    this.difference = Math.abs(difference) > AGREEMENT_MS + uncertainty ? difference : 0;
    this.alarm();
  }

  private alarm(): void {
    if (!this.isInDoubt) {
      this.alarmedAt = null;
      return;
    }
    const now = performance.now();
    if (this.alarmedAt !== null && now - this.alarmedAt < ALARM_PAUSE_MS) return;
    this.alarmedAt = now;
    const seconds = Math.round(-this.difference / 1000);
    this.logger.error(
      `This machine's clock is ${Math.abs(seconds)} s ${seconds > 0 ? 'ahead of' : 'behind'} the database's. ` +
        'One of them is wrong: no usage is dropped until it is set right.',
    );
  }
}
