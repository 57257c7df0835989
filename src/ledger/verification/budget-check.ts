import type { EntityManager } from 'typeorm';
import { FaultList, rowsOfSlice, type Slice } from './checks.js';

/** How long after its end a call is certain to be charged, despite differences between clocks. */
const SURELY_CHARGED = "interval '60 s'";

/** The events of balances with their times. `$3`: pending events from earlier slices, as JSON. */
const EVENTS = `
  SELECT i.id AS balance, u.id, e.at, e.is_admission, e.amount, (u.admitted_at AT TIME ZONE 'UTC')::date AS day
  FROM ${rowsOfSlice('id, limited_by, admitted_at, started_at, total_ms, status, cost_nanodollars, reserved_nanodollars')} AS u
  CROSS JOIN unnest(u.limited_by) AS i (id)
  CROSS JOIN LATERAL (VALUES
    (u.admitted_at, u.reserved_nanodollars > 0,
      CASE u.status WHEN 'open' THEN u.reserved_nanodollars ELSE least(u.cost_nanodollars, u.reserved_nanodollars) END),
    (greatest(u.admitted_at, u.started_at + coalesce(u.total_ms, 0) * interval '1 ms') + ${SURELY_CHARGED}, false,
      greatest(0, u.cost_nanodollars - u.reserved_nanodollars))
  ) AS e (at, is_admission, amount)
  WHERE u.reserved_nanodollars IS NOT NULL AND e.at IS NOT NULL AND (e.is_admission OR e.amount <> 0)
  UNION ALL
  SELECT * FROM jsonb_to_recordset($3::jsonb)
    AS left_over (balance uuid, id text, at timestamptz, is_admission boolean, amount bigint, day date)`;

/** Running sums up to each event before `$4` in this slice, and the budget at that time. */
const SUMS = `
  SELECT s.*, caps.cap_day, caps.cap_month, caps.cap_total
  FROM (
    SELECT *, sum(amount) OVER (PARTITION BY balance, day ORDER BY at) AS day_sum,
      sum(amount) OVER (PARTITION BY balance, month ORDER BY at) AS month_sum,
      sum(amount) OVER (PARTITION BY balance ORDER BY at) AS total_sum
    FROM (SELECT *, date_trunc('month', day::timestamp)::date AS month FROM (${EVENTS}) AS events WHERE at < $4) AS dated
  ) AS s
  LEFT JOIN (
    SELECT *, coalesce(lead(since) OVER (PARTITION BY id ORDER BY since), 'infinity') AS until FROM limit_caps
  ) AS caps ON s.is_admission AND caps.id = s.balance AND caps.since <= s.at AND s.at < caps.until`;

/** By how much an admission exceeds its budget at most, if nothing was spent before this slice. */
const EXCESSES = `
  SELECT balance, day::text, month::text, sum(amount) AS amount, max(day_sum - cap_day) AS day_excess,
    max(month_sum - cap_month) AS month_excess, max(total_sum - cap_total) AS total_excess
  FROM (${SUMS}) AS sums GROUP BY balance, day, month ORDER BY day NULLS FIRST`;

/** `$5`: a balance. `$6` to `$9`: its day, and its spending that day, that month and in total before this slice. */
const FAULTS = `
  SELECT format('balance %s: with call %s its calls came to %s of %s nano-dollars (%s)',
    balance, id, came_to, cap, period) AS fault
  FROM (${SUMS}) AS sums
  CROSS JOIN LATERAL (VALUES
    ('day', day_sum + CASE WHEN day = $6::date THEN $7::numeric ELSE 0 END, cap_day),
    ('month', month_sum + CASE WHEN month = date_trunc('month', $6::date)::date THEN $8::numeric ELSE 0 END, cap_month),
    ('total', total_sum + $9::numeric, cap_total)
  ) AS value (period, came_to, cap)
  WHERE balance = $5 AND is_admission AND came_to > cap ORDER BY at LIMIT $10`;

const LEFT_OVER = `
  SELECT coalesce(jsonb_agg(to_jsonb(events)), '[]')::text AS events FROM (${EVENTS}) AS events WHERE at >= $4`;

interface Spent {
  day: string;
  ofDay: bigint;
  ofMonth: bigint;
  total: bigint;
}

interface Excess {
  balance: string;
  day: string | null;
  month: string | null;
  amount: string;
  day_excess: string | null;
  month_excess: string | null;
  total_excess: string | null;
}

const NOTHING: Spent = { day: '', ofDay: 0n, ofMonth: 0n, total: 0n };

/**
 * Checks each budget at every admission, in order. Costs above a call's reservation count from the time at which they
 * were certainly charged. Between slices it keeps a few numbers for each balance, and events that count later.
 */
export class BudgetCheck {
  readonly faults = new FaultList();
  private readonly spent = new Map<string, Spent>();
  private leftOver = '[]';

  /** `earlyMs`: how long before its start a call may have been admitted. */
  constructor(
    private readonly manager: EntityManager,
    private readonly earlyMs: number,
  ) {}

  async add({ from, to }: Slice): Promise<void> {
    await this.check([from, to, this.leftOver, new Date(to.getTime() - this.earlyMs - 1)]);
  }

  async finish(): Promise<void> {
    const never = new Date(0);
    await this.check([never, never, this.leftOver, 'infinity']);
  }

  private async check(slice: unknown[]): Promise<void> {
    const excesses: Excess[] = await this.manager.query(EXCESSES, slice);
    const [{ events }] = await this.manager.query(LEFT_OVER, slice);
    const exceeded = new Set(excesses.filter((excess) => this.isExceeded(excess)).map(({ balance }) => balance));
    for (const balance of exceeded) {
      if (this.faults.room === 0) break;
      const { day, ofDay, ofMonth, total } = this.spent.get(balance) ?? NOTHING;
      const before = [balance, day || null, String(ofDay), String(ofMonth), String(total), this.faults.room];
      this.faults.add(await this.manager.query(FAULTS, [...slice, ...before]));
    }
    for (const excess of excesses) this.spend(excess);
    this.leftOver = events;
  }

  private isExceeded({ balance, day, month, day_excess, month_excess, total_excess }: Excess): boolean {
    const before = this.spent.get(balance) ?? NOTHING;
    const isBeyond = (excess: string | null, spent: bigint) => excess !== null && BigInt(excess) + spent > 0n;
    return (
      isBeyond(day_excess, day === before.day ? before.ofDay : 0n) ||
      isBeyond(month_excess, month === monthOf(before.day) ? before.ofMonth : 0n) ||
      isBeyond(total_excess, before.total)
    );
  }

  /** Late costs of a past day or month are left out, as it has no more admissions. */
  private spend({ balance, day, amount }: Excess): void {
    const before = this.spent.get(balance) ?? NOTHING;
    const added = BigInt(amount);
    const newest = day !== null && day > before.day ? day : before.day;
    const isOfMonth = day !== null && monthOf(day) === monthOf(newest);
    this.spent.set(balance, {
      day: newest,
      ofDay: (newest === before.day ? before.ofDay : 0n) + (day === newest ? added : 0n),
      ofMonth: (monthOf(newest) === monthOf(before.day) ? before.ofMonth : 0n) + (isOfMonth ? added : 0n),
      total: before.total + added,
    });
  }
}

/** The first day of its month. */
function monthOf(day: string): string {
  return day === '' ? '' : `${day.slice(0, 7)}-01`;
}
