import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource, EntityManager } from 'typeorm';
import { logFailure } from '../../common/failure-log.js';
import { USAGE_LOCK } from '../../database/advisory-locks.js';
import { DatabaseService } from '../../database/database.service.js';
import { END_OF_PORTION, READ_STATE, ROLL_UP, WRITE_STATE } from './usage-rollup-statements.js';

const CHECK_MS = 5000;
/** Not sooner after the last time, whichever process did it. */
const PAUSE_MS = 9000;
/** So many calls at once, so that no statement takes long; fewer after one that did. */
const PORTION = 50_000;
const SMALLEST_PORTION = 1000;
/** So many while calls go on, and then a rest of so many times as long as they took: calls wait for the database, too. */
const GENTLE_PORTION = 5000;
const REST_TIMES = 3;
const LONGEST_REST_MS = 500;
const SERIALIZATION_FAILURE = '40001';

/**
 * Adds what is new in the ledger to the roll-ups every ten seconds. Of all gateways one does it at a time: whoever gets
 * the lock. What it has not come to yet is read from the ledger itself (see `UsageReading`), so nothing is ever missing.
 */
@Injectable()
export class UsageRollupsService {
  private readonly logger = new Logger('UsageRollups');
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  private portion = GENTLE_PORTION;
  private stopping = false;

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    database: DatabaseService,
  ) {
    database.beforeReadyInFirst(async () => {
      this.timer = setInterval(() => this.check(), CHECK_MS);
    });
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopping = true;
    clearInterval(this.timer);
    await this.running;
  }

  /** Rolls up all that has happened by now; false where another process is at it, which will come to it. */
  async rollUp(portion = PORTION): Promise<boolean> {
    for (;;) {
      const left = await this.rollUpPortion(portion, 0);
      if (left === null) return false;
      if (!left) return true;
    }
  }

  private check(): void {
    this.running ??= this.catchUp().finally(() => {
      this.running = undefined;
    });
  }

  private async catchUp(): Promise<void> {
    try {
      let pauseMs = PAUSE_MS;
      for (let isLeft: boolean | null = true; isLeft && !this.stopping; pauseMs = 0) {
        const beganAt = performance.now();
        isLeft = await this.rollUpPortion(this.portion, pauseMs);
        if (isLeft) await sleep(Math.min(REST_TIMES * (performance.now() - beganAt), LONGEST_REST_MS));
      }
      this.portion = GENTLE_PORTION;
    } catch (error) {
      this.portion = Math.max(SMALLEST_PORTION, this.portion >> 2);
      logFailure(this.logger, 'Usage cannot be rolled up', error);
    }
  }

  /** Whether something is left; null where another process has the lock, or had it when this one began. */
  private async rollUpPortion(portion: number, pauseMs: number): Promise<boolean | null> {
    const work = this.dataSource.transaction('REPEATABLE READ', async (manager) => {
      const [{ locked }] = await manager.query(`SELECT pg_try_advisory_xact_lock(${USAGE_LOCK}) AS locked`);
      if (!locked) return null;
      const [{ from, age, horizon }] = await manager.query(READ_STATE);
      // Below nothing: the database's clock was set back.
      if ((Number(age) >= 0 && Number(age) < pauseMs) || BigInt(from) >= BigInt(horizon)) return false;
      const end = await endOfPortion(manager, from, portion);
      const to = end !== null && BigInt(end) < BigInt(horizon) ? end : horizon;
      await manager.query("SET LOCAL jit = off; SET LOCAL work_mem = '64MB'");
      await manager.query(ROLL_UP, [from, to]);
      await manager.query(WRITE_STATE, [to]);
      return to !== horizon;
    });
    return work.catch((error) => {
      if (error.code === SERIALIZATION_FAILURE) return null;
      throw error;
    });
  }
}

async function endOfPortion(manager: EntityManager, from: string, portion: number): Promise<string | null> {
  const [row]: { end: string }[] = await manager.query(END_OF_PORTION, [from, portion]);
  return row?.end ?? null;
}
