import type { EntityManager } from 'typeorm';
import { LEDGER } from '../rows/usage-statements.js';

const PERIODS = ['day', 'month', 'total'] as const;
const SUMS = ['open', ...PERIODS.flatMap((period) => [`charged_${period}`, `held_${period}`])];
const PAGE = 1000;

const IS_OF = {
  day: "(admitted_at AT TIME ZONE 'UTC')::date = b.day",
  month: "date_trunc('month', admitted_at AT TIME ZONE 'UTC') = b.month",
  total: 'true',
};

const SUMS_OF_SLICE = `
  SELECT b.id, count(*) FILTER (WHERE status = 'open') AS open,
    ${PERIODS.flatMap((period) => [
      `coalesce(sum(cost_nanodollars) FILTER (WHERE status <> 'open' AND ${IS_OF[period]}), 0) AS charged_${period}`,
      `coalesce(sum(reserved_nanodollars) FILTER (WHERE status = 'open' AND ${IS_OF[period]}), 0) AS held_${period}`,
    ]).join(', ')}
  FROM ${rowsOfSlice('limited_by, admitted_at, status, cost_nanodollars, reserved_nanodollars')} AS u
  CROSS JOIN unnest(u.limited_by) AS i (id) JOIN limit_balances AS b ON b.id = i.id
  GROUP BY b.id`;

const BALANCES = `SELECT *, day::text AS day, month::text AS month FROM limit_balances WHERE id > $1 ORDER BY id LIMIT ${PAGE}`;

/** A value of a balance that is not the sum of its calls. */
export interface BalanceDifference {
  readonly id: string;
  readonly kind: string;
  /** Of `limit_balances`. */
  readonly column: string;
  /** In words, for people. */
  readonly value: string;
  /** The first day of the value's period, as text; null: the value has none. */
  readonly period: string | null;
  readonly found: bigint;
  readonly required: bigint;
}

interface Missing {
  readonly total: boolean;
  /** Calls that started earlier. */
  readonly before: Date;
}

type Row = Record<string, string | number> & { id: string };

/** Compares balances with the sums of their calls, which are added up slice by slice. */
export class BalanceCheck {
  readonly differences: BalanceDifference[] = [];
  private readonly sums = new Map<string, bigint[]>();

  constructor(private readonly manager: EntityManager) {}

  async add({ from, to }: Slice): Promise<void> {
    const rows: Row[] = await this.manager.query(SUMS_OF_SLICE, [from, to]);
    for (const row of rows) {
      const before = this.sums.get(row.id) ?? [];
      const sums = SUMS.map((name, place) => (before[place] ?? 0n) + BigInt(row[name] ?? 0));
      this.sums.set(row.id, sums);
    }
  }

  async finish(): Promise<void> {
    const [missing]: [Missing] = await this.manager.query(
      "SELECT dropped_at <> 'epoch' AS total, rows_from AS before FROM usage_rollup_state",
    );
    for (let last = '00000000-0000-0000-0000-000000000000'; ; ) {
      const balances: Row[] = await this.manager.query(BALANCES, [last]);
      for (const balance of balances) this.compare(balance, missing);
      if (balances.length < PAGE) return;
      last = balances.at(-1)?.id ?? last;
    }
  }

  /** The sums of calls lack months and days that `usage.retention` deleted from the ledger. */
  private compare(balance: Row, missing: Missing): void {
    const sums = this.sums.get(balance.id) ?? [];
    const sum = (name: string) => sums[SUMS.indexOf(name)] ?? 0n;
    const stored = (name: string) => BigInt(balance[name] ?? 0);
    const values = [
      { column: 'running', value: 'calls in progress', period: null, required: sum('open') },
      ...PERIODS.flatMap((name) => {
        const period = name === 'total' ? null : String(balance[name]);
        const required = stored(`base_${name}`) + sum(`charged_${name}`);
        const spent = { column: `spent_${name}`, value: `spent (${name})`, period, required };
        const reserved = {
          column: `reserved_${name}`,
          value: `reserved (${name})`,
          period,
          required: sum(`held_${name}`),
        };
        const isWhole = period === null ? !missing.total : new Date(`${period}T00:00Z`) >= missing.before;
        return isWhole ? [spent, reserved] : [reserved];
      }),
    ];
    const { id, kind } = balance;
    const all = values.map((value) => ({ id, kind: String(kind), ...value, found: stored(value.column) }));
    this.differences.push(...all.filter(({ found, required }) => found !== required));
  }

  get faults(): FaultList {
    const list = new FaultList();
    list.add(
      this.differences.map(({ id, kind, value, found, required }) => ({
        fault: `balance ${id} of a ${kind}: ${value} is ${found}, its calls have ${required}`,
      })),
    );
    return list;
  }
}

const COLUMNS = `id, status, token_source, input_tokens, output_tokens, cached_tokens, cost_nanodollars,
  reserved_nanodollars, limited_by, admitted_at, started_at, charge`;

const FAULTS = `
  SELECT CASE WHEN is_charged THEN format('call %s is %s and was charged %s of %s reserved nano-dollars by an estimate', id,
      status, cost_nanodollars, reserved_nanodollars)
    ELSE format('call %s is %s and has no tokens', id, status) END AS fault
  FROM (
    SELECT *, status IN ('aborted', 'interrupted') AND token_source = 'estimated' AND limited_by IS NOT NULL
        AND cost_nanodollars > greatest(reserved_nanodollars, (charge->>'reportedPrompt')::bigint) AS is_charged,
      status = 'settled' AND token_source IS NULL OR input_tokens < 0 OR output_tokens < 0 OR cached_tokens < 0 AS is_empty
    FROM ${rowsOfSlice(COLUMNS)} AS rows
  ) AS checked
  WHERE is_charged OR is_empty LIMIT $3`;

const COUNTS = `
  SELECT count(*)::float8 AS calls,
    coalesce(ceil(extract(epoch FROM -min(admitted_at - started_at)) * 1000), 0)::float8 AS "earlyMs"
  FROM ${rowsOfSlice('admitted_at, started_at')} AS rows`;

const UNDERESTIMATES = `
  SELECT coalesce(charge->>'underestimated', 'unknown') AS kind, count(*)::float8 AS calls
  FROM ${rowsOfSlice('charge')} AS rows WHERE charge ? 'overReserved' GROUP BY 1`;

export class RowChecks {
  readonly faults = new FaultList();
  calls = 0;
  /** Kind of estimate → calls that cost more than was reserved. */
  readonly underestimates = new Map<string, number>();
  /** The most ms by which the database's admission time was before the start time on the gateway's clock. */
  earlyMs = 0;

  constructor(private readonly manager: EntityManager) {}

  async check({ from, to }: Slice): Promise<void> {
    const [{ calls, earlyMs }] = await this.manager.query(COUNTS, [from, to]);
    this.calls += calls;
    this.earlyMs = Math.max(this.earlyMs, earlyMs);
    const low = await this.manager.query(UNDERESTIMATES, [from, to]);
    for (const one of low) this.underestimates.set(one.kind, (this.underestimates.get(one.kind) ?? 0) + one.calls);
    if (calls > 0) this.faults.add(await this.manager.query(FAULTS, [from, to, this.faults.room]));
  }
}

const IDS_PAGE = 50_000;

/** The last id of a full page is checked with the next page, which starts with it. */
const READ_PAGE = `
  WITH page AS MATERIALIZED (SELECT id FROM ${LEDGER} WHERE id >= $1 ORDER BY id LIMIT $2),
    whole AS (SELECT count(*)::int AS rows, max(id) AS last FROM page)
  SELECT rows, last, ARRAY(
    SELECT format('call %s has %s rows', id, count(*)) FROM page
    WHERE id <> last OR rows < $2 GROUP BY id HAVING count(*) > 1 ORDER BY id
  ) AS faults
  FROM whole`;

interface Page {
  readonly rows: number;
  readonly last: string;
  readonly faults: readonly string[];
}

/** Finds ids with several rows, by reading the primary key in pages. */
export async function duplicateIds(
  manager: EntityManager,
  visited: (rows: number) => void,
  size = IDS_PAGE,
): Promise<readonly string[]> {
  const faults = new FaultList();
  for (let from: string | null = ''; from !== null; ) {
    const { rows, last, faults: found } = await readPage(manager, from, size);
    faults.add(found.map((fault) => ({ fault })));
    visited(rows);
    if (rows < size) break;
    if (last === from) faults.add([{ fault: `call ${last} has ${rows} rows or more` }]);
    from = last === from ? await idAfter(manager, last) : last;
  }
  return faults.all;
}

async function readPage(manager: EntityManager, from: string, size: number): Promise<Page> {
  const [page] = await manager.query(READ_PAGE, [from, size]);
  return page;
}

/** For a page that consists of one id. */
async function idAfter(manager: EntityManager, id: string): Promise<string | null> {
  const [next] = await manager.query(`SELECT id FROM ${LEDGER} WHERE id > $1 ORDER BY id LIMIT 1`, [id]);
  return next?.id ?? null;
}

const MAX_FAULTS = 100;

export class FaultList {
  readonly all: string[] = [];

  get room(): number {
    return MAX_FAULTS - this.all.length;
  }

  add(faults: readonly { fault: string }[]): void {
    this.all.push(...faults.slice(0, this.room).map(({ fault }) => fault));
  }
}

/** The calls that started from `from` until before `to`. */
export interface Slice {
  readonly from: Date;
  readonly to: Date;
}

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const FIRST_MS = 3_600_000;
/** A slice that takes less is followed by a longer one; a slice above `SLOW_MS`, by a shorter one. */
const QUICK_MS = 300;
const SLOW_MS = 1000;

export async function monthsWithCalls(manager: EntityManager): Promise<Slice[]> {
  const bounds: { name: string; from: string; to: string }[] = await manager.query(
    `SELECT inhrelid::regclass::text AS name, bound[1] AS from, bound[2] AS to
     FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
     CROSS JOIN LATERAL regexp_match(pg_get_expr(relpartbound, inhrelid), 'FROM \\(''(.*)''\\) TO \\(''(.*)''\\)') AS bound
     WHERE inhparent = '${LEDGER}'::regclass ORDER BY 1`,
  );
  const months: Slice[] = [];
  for (const { name, from, to } of bounds) {
    const [call] = await manager.query(`SELECT 1 AS one FROM ${name} LIMIT 1`);
    if (call) months.push({ from: new Date(from), to: new Date(to) });
  }
  return months.sort((one, other) => one.from.getTime() - other.from.getTime());
}

/** Visits months in slices of at most a day, and of less if a day takes long. */
export async function visitSlices(months: readonly Slice[], visit: (slice: Slice) => Promise<void>): Promise<void> {
  let lengthMs = FIRST_MS;
  for (const month of months) {
    for (let { from } = month; from < month.to; ) {
      const to = new Date(Math.min(from.getTime() + lengthMs, month.to.getTime()));
      const beganAt = performance.now();
      await visit({ from, to });
      const ms = performance.now() - beganAt;
      if (ms < QUICK_MS) lengthMs = Math.min(2 * lengthMs, DAY_MS);
      if (ms > SLOW_MS) lengthMs = Math.max(lengthMs / 2, MINUTE_MS);
      from = to;
    }
  }
}

/** The rows of a slice, $1 to $2, through the indexes of closed and of open calls. */
export function rowsOfSlice(columns: string): string {
  const rows = `SELECT ${columns} FROM ${LEDGER} WHERE started_at >= $1 AND started_at < $2`;
  return `(${rows} AND status <> 'open' UNION ALL ${rows} AND status = 'open')`;
}
