import { Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { ClockService } from '../../database/clock.service.js';
import { DatabaseService } from '../../database/database.service.js';
import { snapshotsOf } from '../../database/report-reader.service.js';
import { logFailure } from '../../telemetry/failure-log.js';
import { UsageReading } from '../reports/usage-reading.js';
import { slotFrom } from '../rollups/usage-slots.js';
import {
  OWN_CHARGES,
  type OwnChargesRow,
  SET_BASE,
  USERS_OF_BALANCES,
  WANTED,
  type WantedBalance,
} from './balance-base.statements.js';

const LOOK_MS = 250;
const PAUSE_MS = 1000;
const MAX_AT_ONCE = 20;
const FIRST = '00000000-0000-0000-0000-000000000000';
/** Rows of balances may be locked by other transactions. */
const LOCK_LIMIT_MS = 500;

interface Base {
  readonly own: OwnChargesRow;
  readonly day: bigint;
  readonly month: bigint;
  readonly total: bigint;
}

/**
 * Computes the spending before a budget was set: the cost of all calls of the user, key or project, from roll-ups and
 * the newest rows of the ledger, minus the charges of the balance's own calls. Everything is read in one snapshot, so
 * calls can continue. Repeated and parallel runs give the same result.
 */
@Injectable()
export class BalanceBasesService {
  private readonly logger = new Logger('BalanceBases');
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  private stopping = false;

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly clock: ClockService,
    database: DatabaseService,
  ) {
    database.beforeReadyInFirst(async () => this.lookIn(LOOK_MS));
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopping = true;
    clearTimeout(this.timer);
    await this.running;
  }

  private lookIn(ms: number): void {
    if (this.stopping) return;
    this.timer = setTimeout(() => {
      this.running = this.look();
    }, ms).unref();
  }

  /** Visits each balance once, so that a locked balance does not block the others. */
  private async look(): Promise<void> {
    try {
      for (let after: string | null = FIRST; after !== null && !this.stopping; ) after = await this.computeSome(after);
      this.lookIn(LOOK_MS);
    } catch (error) {
      this.logError(error);
      this.lookIn(PAUSE_MS);
    }
  }

  /** The last id of this batch, or null when it was the last batch. */
  private async computeSome(after: string): Promise<string | null> {
    const wanted: WantedBalance[] = await this.dataSource.query(WANTED, [after, MAX_AT_ONCE]);
    const { key: keys = [], user: others = [] } = Object.groupBy(wanted, ({ kind }) =>
      kind === 'key' ? 'key' : 'user',
    );
    for (const [dimension, balances] of [['key', keys] as const, ['user', others] as const]) {
      const counted = await this.countedIn(dimension, balances);
      for (const base of await this.basesOf(dimension, counted)) await this.set(base);
    }
    return wanted.length < MAX_AT_ONCE ? null : (wanted.at(-1)?.id ?? null);
  }

  /** The keys or users whose calls count in each balance. */
  private async countedIn(dimension: 'key' | 'user', balances: readonly WantedBalance[]): Promise<Counted> {
    const ids = balances.map(({ id }) => id);
    if (dimension === 'key' || ids.length === 0) return new Map(ids.map((id) => [id, [id]]));
    const rows: { id: string; users: string[] }[] = await this.dataSource.query(USERS_OF_BALANCES, [ids]);
    return new Map(rows.map(({ id, users }) => [id, users]));
  }

  private async basesOf(dimension: 'key' | 'user', counted: Counted): Promise<Base[]> {
    const ids = [...counted.keys()];
    if (ids.length === 0) return [];
    const names = [...new Set([...counted.values()].flat())];
    const filter = dimension === 'key' ? { keys: names } : { users: names };
    const end = slotFrom(this.clock.date()) + 1;
    return UsageReading.of(snapshotsOf(this.dataSource), { from: 0, to: end }, filter, async (reading) => {
      const all: OwnChargesRow[] = await reading.manager.query(OWN_CHARGES, [ids]);
      const bases: Base[] = [];
      for (const rows of Map.groupBy(all, ({ day, month }) => `${day} ${month}`).values()) {
        const [first] = rows;
        if (!first) continue;
        const starts = [0, slotFrom(new Date(first.monthMs)), slotFrom(new Date(first.dayMs))];
        const cells = { starts, end: Math.max(end, ...starts) };
        const sums = await reading.sums({ ...filter, groupBy: dimension, cells });
        bases.push(...rows.map((own) => toBase(own, sums, new Set(counted.get(own.id)))));
      }
      return bases;
    });
  }

  private async set({ own, day, month, total }: Base): Promise<void> {
    try {
      await this.dataSource.transaction(async (manager) => {
        await manager.query(`SET LOCAL lock_timeout = ${LOCK_LIMIT_MS}`);
        await manager.query(SET_BASE, [own.id, own.wanted, own.day, own.month, day, month, total]);
      });
    } catch (error) {
      this.logError(error);
    }
  }

  private logError(error: unknown): void {
    logFailure(this.logger, 'The spending before a budget was set could not be added up', error);
  }
}

/** The balance's id → the keys or users whose calls count in it. */
type Counted = ReadonlyMap<string, readonly string[]>;

interface CostOfCell {
  readonly name: string | null;
  readonly cell: number;
  /** -1: to subtract. */
  readonly sign: 1 | -1;
  readonly cost_nanodollars: string;
}

/** The cells are: before the month; the month up to the day; the day. */
function toBase(own: OwnChargesRow, sums: readonly CostOfCell[], names: ReadonlySet<string | null>): Base {
  const costSince = (first: number) =>
    sums
      .filter(({ name, cell }) => names.has(name) && cell >= first)
      .reduce((sum, { sign, cost_nanodollars: cost }) => sum + BigInt(sign) * BigInt(cost), 0n);
  return {
    own,
    day: atLeastZero(costSince(2) - BigInt(own.ownDay)),
    month: atLeastZero(costSince(1) - BigInt(own.ownMonth)),
    total: atLeastZero(costSince(0) - BigInt(own.ownTotal)),
  };
}

/** A call that starts before midnight and is admitted after it counts on the next day: differences may be negative. */
function atLeastZero(amount: bigint): bigint {
  return amount > 0n ? amount : 0n;
}
