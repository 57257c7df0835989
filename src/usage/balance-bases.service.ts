import { Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { ClockService } from '../database/clock.service.js';
import { DatabaseService } from '../database/database.service.js';
import { snapshotsOf } from '../database/report-reader.service.js';
import { logFailure } from '../telemetry/failure-log.js';
import { UsageReading } from './reports/usage-reading.js';
import { slotFrom } from './rollups/usage-pieces.js';

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
    const required: RequiredBalance[] = await this.dataSource.query(REQUIRED, [after, MAX_AT_ONCE]);
    const { key: keys = [], user: others = [] } = Object.groupBy(required, ({ kind }) =>
      kind === 'key' ? 'key' : 'user',
    );
    for (const [dimension, balances] of [['key', keys] as const, ['user', others] as const]) {
      const counted = await this.countedIn(dimension, balances);
      for (const base of await this.basesOf(dimension, counted)) await this.set(base);
    }
    return required.length < MAX_AT_ONCE ? null : (required.at(-1)?.id ?? null);
  }

  /** The keys or users whose calls count in each balance. */
  private async countedIn(dimension: 'key' | 'user', balances: readonly RequiredBalance[]): Promise<Counted> {
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
        await manager.query(SET_BASE, [own.id, own.required, own.day, own.month, day, month, total]);
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

/** Balances whose base is missing. $1: only ids above this one; $2: the limit. */
const REQUIRED = 'SELECT id, kind FROM limit_balances WHERE base_wanted > 0 AND id > $1::uuid ORDER BY id LIMIT $2';

interface RequiredBalance {
  readonly id: string;
  readonly kind: string;
}

/**
 * The users whose calls count in each balance. $1: ids of balances of users or projects. All users of a project also
 * count in the balance of the user that represents the project, as they have that user's plan.
 */
const USERS_OF_BALANCES = `
  SELECT b.id, array_agg(coalesce(m.id, b.id)) AS users FROM unnest($1::uuid[]) AS b (id)
  LEFT JOIN users AS p ON p.kind = 'project' AND (p.id = b.id OR p.project_id = b.id)
  LEFT JOIN users AS m ON m.project_id = p.project_id GROUP BY b.id`;

/** $1: ids. Includes the charges of each balance's own calls in its day, its month and in total. */
const OWN_CHARGES = `
  SELECT id, base_wanted AS required, day::text, month::text,
    extract(epoch FROM day)::float8 * 1000 AS "dayMs", extract(epoch FROM month)::float8 * 1000 AS "monthMs",
    spent_day - base_day AS "ownDay", spent_month - base_month AS "ownMonth", spent_total - base_total AS "ownTotal"
  FROM limit_balances WHERE id = ANY($1::uuid[]) AND base_wanted > 0`;

interface OwnChargesRow {
  readonly id: string;
  readonly required: number;
  readonly day: string;
  readonly month: string;
  readonly dayMs: number;
  readonly monthMs: number;
  readonly ownDay: string;
  readonly ownMonth: string;
  readonly ownTotal: string;
}

/**
 * $1: a balance's id; $2: its mark; $3 and $4: its day and month; $5 to $7: the bases. Does nothing if mark, day or
 * month have changed; then the base is computed again.
 */
const SET_BASE = `
  UPDATE limit_balances SET base_wanted = 0,
    spent_day = CASE WHEN base_wanted & 1 > 0 THEN spent_day - base_day + $5::bigint ELSE spent_day END,
    base_day = CASE WHEN base_wanted & 1 > 0 THEN $5::bigint ELSE base_day END,
    spent_month = CASE WHEN base_wanted & 1 > 0 THEN spent_month - base_month + $6::bigint ELSE spent_month END,
    base_month = CASE WHEN base_wanted & 1 > 0 THEN $6::bigint ELSE base_month END,
    spent_total = CASE WHEN base_wanted & 2 > 0 THEN spent_total - base_total + $7::bigint ELSE spent_total END,
    base_total = CASE WHEN base_wanted & 2 > 0 THEN $7::bigint ELSE base_total END
  WHERE id = $1 AND base_wanted = $2 AND day = $3::date AND month = $4::date`;
