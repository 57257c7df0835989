import type { EntityManager } from 'typeorm';
import { FaultList } from './fault-list.js';
import { rowsOfSlice, type Slice } from './time-slices.js';

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

const BALANCES = `SELECT * FROM limit_balances WHERE id > $1 ORDER BY id LIMIT ${PAGE}`;

type Row = Record<string, string | number> & { id: string };

/** Compares balances with the sums of their calls, which are added up slice by slice. */
export class BalanceCheck {
  readonly faults = new FaultList();
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
    const [{ is_whole: isWhole }] = await this.manager.query(
      "SELECT dropped_at = 'epoch' AS is_whole FROM usage_rollup_state",
    );
    for (let last = '00000000-0000-0000-0000-000000000000'; ; ) {
      const balances: Row[] = await this.manager.query(BALANCES, [last]);
      for (const balance of balances) this.compare(balance, isWhole);
      if (balances.length < PAGE) return;
      last = balances.at(-1)?.id ?? last;
    }
  }

  /** The sums of calls lack months that were dropped from the ledger. */
  private compare(balance: Row, isWhole: boolean): void {
    const sums = this.sums.get(balance.id) ?? [];
    const sum = (name: string) => sums[SUMS.indexOf(name)] ?? 0n;
    const kept = (name: string) => BigInt(balance[name] ?? 0);
    const values = [
      { name: 'calls in progress', found: kept('running'), wanted: sum('open') },
      ...PERIODS.flatMap((period) => {
        const wanted = kept(`base_${period}`) + sum(`charged_${period}`);
        const spent = { name: `spent (${period})`, found: kept(`spent_${period}`), wanted };
        const held = {
          name: `reserved (${period})`,
          found: kept(`reserved_${period}`),
          wanted: sum(`held_${period}`),
        };
        return period === 'total' && !isWhole ? [held] : [spent, held];
      }),
    ];
    const wrong = values.filter(({ found, wanted }) => found !== wanted);
    this.faults.add(
      wrong.map(({ name, found, wanted }) => ({
        fault: `balance ${balance.id} of a ${balance.kind}: ${name} is ${found}, its calls have ${wanted}`,
      })),
    );
  }
}
