import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Caller, Period } from './callers.js';

const EVERY_MS = 200;

/**
 * The time at which a caller's budget was first seen spent: later in that period, no call that costs something may be
 * admitted.
 */
export interface RanOut {
  readonly userId: string;
  readonly period: Period;
  /** By the database's clock, as text. */
  readonly at: string;
  /** The first day of the period, as text. */
  readonly of: string;
}

interface Row {
  id: string;
  at: string;
  day: string;
  month: string;
  spent_day: string;
  spent_month: string;
  spent_total: string;
}

/** Watches the balances while calls run. */
export class BalanceWatch {
  readonly ranOut = new Map<string, RanOut>();
  looks = 0;
  private isOver = false;
  private readonly running: Promise<void>;

  constructor(
    private readonly pool: pg.Pool,
    private readonly callers: readonly Caller[],
  ) {
    this.running = this.run();
  }

  async stop(): Promise<void> {
    this.isOver = true;
    await this.running;
  }

  private async run(): Promise<void> {
    while (!this.isOver) {
      await this.look();
      await sleep(EVERY_MS);
    }
  }

  /** The rows were committed before the clock was read. */
  private async look(): Promise<void> {
    const { rows } = await this.pool.query<Row>(
      `SELECT id, clock_timestamp()::text AS at, day::text, month::text, spent_day, spent_month, spent_total
       FROM limit_balances`,
    );
    this.looks++;
    for (const { userId, period, capUsd } of this.callers) {
      const row = rows.find(({ id }) => id === userId);
      if (!row || period === null || capUsd === null) continue;
      const of = period === 'total' ? 'epoch' : row[period];
      const name = `${userId} ${of}`;
      if (Number(row[`spent_${period}`]) < capUsd * 1e9 || this.ranOut.has(name)) continue;
      this.ranOut.set(name, { userId, period, at: row.at, of });
    }
  }
}
