import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource, EntityManager } from 'typeorm';
import { USAGE_LOCK } from '../../database/advisory-locks.js';
import { ClockService } from '../../database/clock.service.js';
import { DatabaseService } from '../../database/database.service.js';
import { logFailure } from '../../telemetry/failure-log.js';
import { dropOldHours, makeDays, REMAKE_DAYS } from './usage-days.js';
import { slotOf } from './usage-pieces.js';
import {
  END_OF_PORTION,
  READ_STATE,
  ROLL_UP,
  ROLL_UP_OLD,
  type RollupState,
  WRITE_STATE,
} from './usage-rollup-statements.js';

const CHECK_MS = 5000;
/** The shortest pause between roll-ups of all processes. */
const PAUSE_MS = 9000;
/** Calls per statement, so that no statement takes long; reduced after a slow one. */
const PORTION = 50_000;
const MIN_PORTION = 1000;
/**
 * Used while calls are running, as they use the same database: smaller portions, each followed by a pause of this many
 * times its duration.
 */
const INITIAL_BATCH_SIZE = 5000;
const REST_TIMES = 3;
const MAX_REST_MS = 500;
const SERIALIZATION_FAILURE = '40001';

interface LeftToDo {
  day: number;
  userId: string;
  keyId: string;
  isOld: boolean;
}

/**
 * Adds new events of the ledger to the roll-ups every ten seconds, in one gateway at a time. Newer events are read from
 * the ledger (see `UsageReading`), so reports are always complete.
 */
@Injectable()
export class UsageRollupsService {
  private readonly logger = new Logger('UsageRollups');
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  private portion = INITIAL_BATCH_SIZE;
  private stopping = false;

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly clock: ClockService,
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

  /** Rolls up everything until now; false when another process is doing so. */
  async rollUp(portion = PORTION): Promise<boolean> {
    for (;;) {
      const left = await this.rollUpPortion(portion, 0);
      if (left === null) return false;
      if (!left) return true;
    }
  }

  /** Builds the next part of a day that ended before `now`; false when there is none. */
  async makeDays(now: Date): Promise<boolean> {
    return (await this.locked((manager, state) => makeDays(manager, state, slotOf(now)))) === true;
  }

  /** Deletes one day of hours that is too old at `now`; false when there is none. */
  async dropOldHours(now: Date): Promise<boolean> {
    return (await this.locked((manager, state) => dropOldHours(manager, state, slotOf(now)))) === true;
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
        isLeft = await restedAfter(() => this.rollUpPortion(this.portion, pauseMs));
      }
      const now = this.clock.date();
      while (!this.stopping && (await restedAfter(() => this.makeDays(now))));
      while (!this.stopping && !this.clock.isUnreliable && (await restedAfter(() => this.dropOldHours(now))));
      this.portion = INITIAL_BATCH_SIZE;
    } catch (error) {
      this.portion = Math.max(MIN_PORTION, this.portion >> 2);
      logFailure(this.logger, 'Usage cannot be rolled up', error);
    }
  }

  /** Whether events remain; null if another process has the lock or had it recently. */
  private rollUpPortion(portion: number, pauseMs: number): Promise<boolean | null> {
    return this.locked(async (manager, state) => {
      const { from, age, horizon } = state;
      // Negative: the database's clock was set back.
      if ((Number(age) >= 0 && Number(age) < pauseMs) || BigInt(from) >= BigInt(horizon)) return false;
      const end = await endOfPortion(manager, from, portion);
      const to = end !== null && BigInt(end) < BigInt(horizon) ? end : horizon;
      await addEvents(manager, to, state);
      await manager.query(WRITE_STATE, [to]);
      return to !== horizon;
    });
  }

  private async locked<Result>(
    work: (manager: EntityManager, state: RollupState) => Promise<Result>,
  ): Promise<Result | null> {
    const done = this.dataSource.transaction('REPEATABLE READ', async (manager) => {
      const [{ locked }] = await manager.query(`SELECT pg_try_advisory_xact_lock(${USAGE_LOCK}) AS locked`);
      if (!locked) return null;
      await manager.query("SET LOCAL jit = off; SET LOCAL work_mem = '64MB'");
      const [state]: [RollupState] = await manager.query(READ_STATE);
      return work(manager, state);
    });
    return done.catch((error) => {
      if (error.code === SERIALIZATION_FAILURE) return null;
      throw error;
    });
  }
}

async function addEvents(manager: EntityManager, to: string, state: RollupState): Promise<void> {
  const { from, hoursBegin, hoursStoredFrom, daysUpTo } = state;
  const left: LeftToDo[] = await manager.query(ROLL_UP, [from, to, hoursBegin, hoursStoredFrom, daysUpTo]);
  if (left.some(({ isOld }) => isOld)) await manager.query(ROLL_UP_OLD, [from, to, hoursBegin]);
  const late = left.filter(({ isOld }) => !isOld);
  if (late.length === 0) return;
  await manager.query(REMAKE_DAYS, [
    late.map(({ day }) => day),
    late.map(({ userId }) => userId),
    late.map(({ keyId }) => keyId),
    daysUpTo,
  ]);
}

async function endOfPortion(manager: EntityManager, from: string, portion: number): Promise<string | null> {
  const [row]: { end: string }[] = await manager.query(END_OF_PORTION, [from, portion]);
  return row?.end ?? null;
}

async function restedAfter(work: () => Promise<boolean | null>): Promise<boolean | null> {
  const beganAt = performance.now();
  const isLeft = await work();
  if (isLeft) await sleep(Math.min(REST_TIMES * (performance.now() - beganAt), MAX_REST_MS));
  return isLeft;
}
