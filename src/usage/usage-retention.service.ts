import { Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { InjectSettings, type Settings } from '../config/settings.js';
import { USAGE_LOCK } from '../database/advisory-locks.js';
import { ClockService } from '../database/clock.service.js';
import { DatabaseService } from '../database/database.service.js';
import { logFailure } from '../telemetry/failure-log.js';
import { HOUR_OF_CALL } from './reports/hour-parts.js';
import { slotOf } from './rollups/usage-pieces.js';
import { UsageRollupsService } from './rollups/usage-rollups.service.js';

const CHECK_MS = 3_600_000;
const FIRST_CHECK_MS = 60_000;
/** Dropping a month delays writing calls by at most this. */
const MAX_WAIT_MS = 200;
const TRIES = 50;
const PAUSE_MS = 500;
const LOCK_NOT_AVAILABLE = '55P03';
/** Updates no row within an hour after the last drop. */
const WRITE_DROP =
  'UPDATE usage_rollup_state SET dropped_at = now() WHERE abs(extract(epoch FROM now() - dropped_at)) >= 3600';

const DAY_MS = 86_400_000;
const LONGEST_MONTH_MS = 31 * DAY_MS;
/** The maximum number of newest months with calls that are never touched, in case a clock is wrong. */
const RETAINED_MONTHS = 12;
const WRITE_ROWS_FROM = 'UPDATE usage_rollup_state SET rows_from = greatest(rows_from, $1)';
const HOUR_MS = 3_600_000;
/** Of one hour, found by its index: those that are rolled up, so that reports do not need them. */
const deleteHour = (month: string) => `
  DELETE FROM ${month} USING usage_rollup_state WHERE ${HOUR_OF_CALL} = $1 AND status <> 'open'
    AND changed_in < rolled_up_to AND (interrupted_in IS NULL OR interrupted_in < rolled_up_to)`;

/**
 * Deletes usage older than `usage.retention` on the database's clock: months of the ledger, then days (UTC) of the
 * month in which the retention ends, and refused requests by the hour. Roll-ups stay. To guard against wrong clocks, as
 * many of the newest months with calls as the retention has, at most twelve, are never touched, at most one month or
 * day goes per hour, and none while the clocks of gateway and database differ.
 */
@Injectable()
export class UsageRetentionService {
  private readonly logger = new Logger('UsageRetention');
  private timer: NodeJS.Timeout | undefined;
  private stopping = false;

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    @InjectSettings() private readonly settings: Settings,
    private readonly rollups: UsageRollupsService,
    private readonly clock: ClockService,
    database: DatabaseService,
  ) {
    database.beforeReadyInFirst(async () => this.checkIn(FIRST_CHECK_MS));
  }

  beforeApplicationShutdown(): void {
    this.stopping = true;
    clearTimeout(this.timer);
  }

  /** Deletes what is too old at `now`; does nothing while another process is doing so. */
  async enforce(now: Date): Promise<void> {
    if (this.clock.isUnreliable) {
      this.logger.error(
        "Nothing is dropped: this machine's clock and the database's differ by more than five minutes.",
      );
      return;
    }
    if (!(await this.rollups.rollUp())) return;
    const required = new Date(now.getTime() - this.settings.usage.retention);
    await this.dataSource.query('DELETE FROM refused_calls WHERE hour < $1', [required]);
    await this.dataSource.query('DELETE FROM guard_hits WHERE at < $1', [required]);
    await this.dataSource.query('DELETE FROM recent_errors WHERE at < $1', [required]);
    await this.dataSource.query('DELETE FROM uncharged_costs WHERE slot < $1', [slotOf(required)]);
    const before = await this.endOfOld(required);
    if (!before) return;
    const month = await this.oldestBefore(before);
    if (month) await this.drop(month);
    else await this.deleteOldestDay(before);
  }

  /** The end of the range to delete, at most the start of the months that always stay; null if there are fewer. */
  private async endOfOld(required: Date): Promise<Date | null> {
    const stored = Math.min(RETAINED_MONTHS, Math.floor(this.settings.usage.retention / LONGEST_MONTH_MS));
    if (stored === 0) return required;
    const newest: string[] = [];
    for (const month of (await this.months()).reverse()) {
      const [call] = await this.dataSource.query(`SELECT 1 FROM ${month} LIMIT 1`);
      if (call) newest.push(month);
      if (newest.length === stored) return new Date(Math.min(required.getTime(), startOfMonth(month)));
    }
    return null;
  }

  private async months(): Promise<string[]> {
    const tables: { name: string }[] = await this.dataSource.query(
      `SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'usage_calls'::regclass ORDER BY 1`,
    );
    return tables.map(({ name }) => name).filter((name) => !Number.isNaN(startOfMonth(name)));
  }

  private checkIn(ms: number): void {
    this.timer = setTimeout(async () => {
      await this.enforce(this.clock.date()).catch((error) =>
        logFailure(this.logger, 'Old usage could not be dropped', error),
      );
      if (!this.stopping) this.checkIn(CHECK_MS);
    }, ms).unref();
  }

  /** The oldest partition that ends before the instant and is fully rolled up. */
  private async oldestBefore(before: Date): Promise<string | null> {
    for (const month of await this.months()) {
      if (startOfMonth(month, 1) > before.getTime()) return null;
      const [left] = await this.dataSource.query(
        `SELECT 1 FROM ${month}, usage_rollup_state
         WHERE status = 'open' OR changed_in >= rolled_up_to OR interrupted_in >= rolled_up_to LIMIT 1`,
      );
      if (!left) return month;
    }
    return null;
  }

  /** Dropping a partition briefly locks the table that calls are written to, so it does not wait long for the lock. */
  private async drop(month: string): Promise<void> {
    for (let tries = 0; tries < TRIES && !this.stopping; tries++) {
      try {
        if (await this.tryToDrop(month)) this.logger.log(`Calls older than usage.retention were dropped: ${month}.`);
        return;
      } catch (error) {
        if ((error as { code?: string }).code !== LOCK_NOT_AVAILABLE) throw error;
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      }
    }
    this.logger.warn(`${month} is in use and could not be dropped; the next try is within an hour.`);
  }

  /** A day that ends before the instant; a delete that was interrupted continues with the next one. */
  private async deleteOldestDay(before: Date): Promise<void> {
    const [{ oldest }]: [{ oldest: Date | null }] = await this.dataSource.query(
      "SELECT min(started_at) AS oldest FROM usage_calls WHERE status <> 'open'",
    );
    if (oldest === null) return;
    const from = new Date(Math.floor(oldest.getTime() / DAY_MS) * DAY_MS);
    const to = new Date(from.getTime() + DAY_MS);
    if (to > before || !(await this.markDeleted(to))) return;
    const month = `usage_calls_${from.toISOString().slice(0, 7).replace('-', '_')}`;
    let rows = 0;
    for (let hour = from.getTime(); hour < to.getTime() && !this.stopping; hour += HOUR_MS) {
      const [, deleted] = await this.dataSource.query(deleteHour(month), [new Date(hour)]);
      rows += deleted;
    }
    this.logger.log(`Calls older than usage.retention were deleted: ${rows} of ${from.toISOString().slice(0, 10)}.`);
  }

  /** Whether this process may delete rows now. Whoever adds up rows afterwards knows that these are missing. */
  private markDeleted(to: Date): Promise<boolean> {
    return this.dataSource.transaction(async (manager) => {
      const [{ locked }] = await manager.query(`SELECT pg_try_advisory_xact_lock(${USAGE_LOCK}) AS locked`);
      if (!locked) return false;
      const [, count] = await manager.query(WRITE_DROP);
      if (count > 0) await manager.query(WRITE_ROWS_FROM, [to]);
      return count > 0;
    });
  }

  private tryToDrop(month: string): Promise<boolean> {
    return this.dataSource.transaction(async (manager) => {
      const [{ locked }] = await manager.query(`SELECT pg_try_advisory_xact_lock(${USAGE_LOCK}) AS locked`);
      if (!locked) return false;
      const [, droppedOne] = await manager.query(WRITE_DROP);
      if (droppedOne === 0) return false;
      await manager.query(`SET LOCAL lock_timeout = ${MAX_WAIT_MS}`);
      await manager.query(`DROP TABLE IF EXISTS ${month}`);
      await manager.query(WRITE_ROWS_FROM, [new Date(startOfMonth(month, 1))]);
      return true;
    });
  }
}

/** The start of its month, or of a later one, in ms; NaN for tables with other names. */
function startOfMonth(partition: string, monthsLater = 0): number {
  const [, year, month] = /^usage_calls_(\d{4})_(\d{2})$/.exec(partition) ?? [];
  return Date.UTC(Number(year), Number(month) - 1 + monthsLater, 1);
}
