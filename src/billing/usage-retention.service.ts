import { Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { InjectSettings, type Settings } from '../config/settings.js';
import { USAGE_LOCK } from '../database/advisory-locks.js';
import { DatabaseService } from '../database/database.service.js';
import { UsageRollupsService } from './usage-rollups.service.js';

const CHECK_MS = 3_600_000;
const FIRST_CHECK_MS = 60_000;
/** A call that is written waits no longer than this for a month that is dropped. */
const LONGEST_WAIT_MS = 200;
const TRIES = 50;
const PAUSE_MS = 500;
const LOCK_NOT_AVAILABLE = '55P03';

/** Drops what is older than `usage.retention`: the ledger by whole months, refused calls by the hour. Roll-ups stay. */
@Injectable()
export class UsageRetentionService {
  private readonly logger = new Logger('UsageRetention');
  private timer: NodeJS.Timeout | undefined;
  private stopping = false;

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    @InjectSettings() private readonly settings: Settings,
    private readonly rollups: UsageRollupsService,
    database: DatabaseService,
  ) {
    database.beforeReady(async () => this.checkIn(FIRST_CHECK_MS));
  }

  beforeApplicationShutdown(): void {
    this.stopping = true;
    clearTimeout(this.timer);
  }

  /** Drops what is too old at `now`; nothing while another process is at it. */
  async enforce(now: Date): Promise<void> {
    const before = new Date(now.getTime() - this.settings.usage.retention);
    if (!(await this.rollups.rollUp())) return;
    for (const month of await this.monthsBefore(before)) await this.drop(month);
    await this.dataSource.query('DELETE FROM usage_calls_default WHERE started_at < $1', [before]);
    await this.dataSource.query('DELETE FROM refused_calls WHERE hour < $1', [before]);
    await this.dataSource.query('DELETE FROM recent_errors WHERE at < $1', [before]);
  }

  private checkIn(ms: number): void {
    this.timer = setTimeout(async () => {
      await this.enforce(new Date()).catch((error) => this.logger.error(error));
      if (!this.stopping) this.checkIn(CHECK_MS);
    }, ms).unref();
  }

  /** The partitions that end before an instant and have no call that is still to be rolled up, oldest first. */
  private async monthsBefore(before: Date): Promise<string[]> {
    const tables: { name: string }[] = await this.dataSource.query(
      `SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'usage_calls'::regclass ORDER BY 1`,
    );
    const months = tables.map(({ name }) => name).filter((name) => endOfMonth(name) <= before.getTime());
    const done: string[] = [];
    for (const month of months) {
      const [left] = await this.dataSource.query(
        `SELECT 1 FROM ${month}, usage_rollup_state
         WHERE status = 'open' OR changed_in >= rolled_up_to OR interrupted_in >= rolled_up_to LIMIT 1`,
      );
      if (!left) done.push(month);
    }
    return done;
  }

  /** Calls are written to the table of which this is a part: it is locked for an instant, and not waited for long. */
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
    this.logger.warn(`${month} is in use and could not be dropped; it is tried again within an hour.`);
  }

  private tryToDrop(month: string): Promise<boolean> {
    return this.dataSource.transaction(async (manager) => {
      const [{ locked }] = await manager.query(`SELECT pg_try_advisory_xact_lock(${USAGE_LOCK}) AS locked`);
      if (!locked) return false;
      await manager.query(`SET LOCAL lock_timeout = ${LONGEST_WAIT_MS}`);
      await manager.query(`DROP TABLE IF EXISTS ${month}`);
      return true;
    });
  }
}

/** When the month of a partition is over, in ms; never for the default one. */
function endOfMonth(partition: string): number {
  const [, year, month] = /^usage_calls_(\d{4})_(\d{2})$/.exec(partition) ?? [];
  return year && month ? Date.UTC(Number(year), Number(month), 1) : Number.POSITIVE_INFINITY;
}
