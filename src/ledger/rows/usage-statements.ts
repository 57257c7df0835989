import type pg from 'pg';
import type { OpenCall } from '../call-record.types.js';
import { CHANGED_COLUMNS, ROW_TYPES } from './usage-rows.js';

const LIMITED = ['limited_by', 'reserved_nanodollars'];
const OPEN = ROW_TYPES.usage_opening.filter((name) => !LIMITED.includes(name)).join(', ');
const CLOSED = ROW_TYPES.usage_closing.filter((name) => !LIMITED.includes(name)).join(', ');

/** Used only if rows may be stored already, as it costs a look-up and a mark for each row. */
const UNLESS_STORED = 'ON CONFLICT DO NOTHING';

/** Parameters: the instance, and rows. `table`: the ledger, or the partition of all rows. */
export function insertOpen(table: string, isRepeated: boolean): string {
  return `
  INSERT INTO ${table} (instance_id, status, ${OPEN}) SELECT $1::bigint, 'open', ${OPEN}
  FROM unnest($2::usage_opening[]) ${isRepeated ? UNLESS_STORED : ''}`;
}

/**
 * Parameters: what is needed of each balance, the limited calls, the number of rows, whether some may be stored already,
 * whether a balance may have no row yet (see `limit_open`), the instance, and rows. Refused calls get no row.
 */
export function insertOpenLimited(table: string, isRepeated: boolean): string {
  return `
  WITH verdict AS MATERIALIZED (
    SELECT * FROM limit_open($1::limit_demand[], $2::limit_call[], $3::int, $4::boolean, $5::boolean)
  ), opened AS (
    INSERT INTO ${table} (instance_id, status, ${OPEN}, limited_by, reserved_nanodollars, admitted_at)
    SELECT $6::bigint, 'open', ${OPEN}, limited_by,
      CASE WHEN limited_by IS NULL THEN 0 ELSE coalesce(verdict.reserved[place], reserved_nanodollars) END,
      CASE WHEN limited_by IS NOT NULL THEN verdict.at + place * interval '1 microsecond' END
    FROM verdict CROSS JOIN unnest($7::usage_opening[]) WITH ORDINALITY AS row (${ROW_TYPES.usage_opening.join(', ')}, place)
    WHERE verdict.refusals[place] IS NULL
    ${isRepeated ? UNLESS_STORED : ''}
  )
  SELECT json_build_object('refusals', refusals, 'reserved', reserved, 'ceilings', ceilings, 'remaining', remaining,
    'day', (at AT TIME ZONE 'UTC')::date) AS verdict
  FROM verdict`;
}

/**
 * Writes the whole row, because the open row may be lost if Postgres crashes. Replaces `interrupted` rows, which
 * another process writes if it assumes that this process is gone. Closed rows do not change, except that they may later
 * be marked as undelivered. For the roll-ups, a row holds the transaction that closed it (the column's default) and the
 * transaction that marked it as interrupted before.
 */
export function upsertClosed(table: string): string {
  return `
  INSERT INTO ${table} AS usage_calls (instance_id, ${CLOSED}) SELECT $1::bigint, ${CLOSED}
  FROM unnest($2::usage_closing[]) ${onConflict(namedAsExcluded(CHANGED_COLUMNS))}`;
}

const CHANGED_BUT_COST = namedAsExcluded(CHANGED_COLUMNS.filter((name) => name !== 'cost_nanodollars'));

/** `limit_not_usual` fails with this SQLSTATE. */
export const NOT_USUAL = 'GWNOT';

/** Seconds since the balance was updated. */
const PASSED = "greatest(0, date_part('epoch', clock.at - b.at))";

/** True for rows of limited calls that end as usual. */
const IS_USUAL = `usage_calls.status = 'open' AND (usage_calls.limited_by IS NULL
  OR usage_calls.reserved_nanodollars IS NOT DISTINCT FROM excluded.reserved_nanodollars
    AND (usage_calls.admitted_at AT TIME ZONE 'UTC')::date = $6::date)`;

/**
 * For batches whose limited calls were all admitted on one day and have open rows, so that the amounts are known in
 * advance. Parameters: for each balance, sorted by id: its id, the number of calls, their tokens above the estimate,
 * their reservations and their charges; then the day and its month, the instance, and rows. If a row is different, the
 * statement fails with `NOT_USUAL` and has no effect.
 */
export function closeLimited(table: string): string {
  return `
  WITH charged AS (
    UPDATE limit_balances AS b SET
      at = limit_now(b.at),
      requests_used = CASE WHEN b.requests_per_minute IS NULL THEN b.requests_used
        ELSE greatest(0, b.requests_used - ${PASSED} * b.requests_per_minute / 60) END,
      tokens_used = CASE WHEN b.tokens_per_minute IS NULL THEN b.tokens_used
        ELSE greatest(0, b.tokens_used - ${PASSED} * b.tokens_per_minute / 60) + s.tokens END,
      running = b.running - s.calls,
      spent_day = b.spent_day + CASE WHEN b.day = $6::date THEN s.charged ELSE 0 END,
      reserved_day = b.reserved_day - CASE WHEN b.day = $6::date THEN s.held ELSE 0 END,
      spent_month = b.spent_month + CASE WHEN b.month = $7::date THEN s.charged ELSE 0 END,
      reserved_month = b.reserved_month - CASE WHEN b.month = $7::date THEN s.held ELSE 0 END,
      spent_total = b.spent_total + s.charged,
      reserved_total = b.reserved_total - s.held
    FROM unnest($1::uuid[], $2::int[], $3::float8[], $4::bigint[], $5::bigint[]) AS s (id, calls, tokens, held, charged)
    CROSS JOIN (SELECT clock_timestamp() AS at OFFSET 0) AS clock
    WHERE b.id = s.id
    RETURNING 1
  ), closed AS (
    INSERT INTO ${table} AS usage_calls (instance_id, ${CLOSED}, limited_by, reserved_nanodollars)
    SELECT $8::bigint, ${CLOSED}, limited_by, CASE WHEN limited_by IS NULL THEN 0 ELSE reserved_nanodollars END
    FROM (SELECT count(*) FROM charged) AS first CROSS JOIN unnest($9::usage_closing[])
    ON CONFLICT (id, started_at) DO UPDATE SET ${CHANGED_BUT_COST},
      cost_nanodollars = CASE WHEN ${IS_USUAL} THEN excluded.cost_nanodollars ELSE limit_not_usual() END,
      changed_in = excluded.changed_in
    RETURNING limited_by IS NOT NULL AND admitted_at IS NULL AS is_new
  )
  SELECT limit_not_usual() FROM closed WHERE is_new`;
}

/** The charge of a limited call: the earlier one if it was settled already. */
const CHARGED = `CASE WHEN usage_calls.limited_by IS NOT NULL AND usage_calls.status = 'settled'
  THEN usage_calls.cost_nanodollars ELSE excluded.cost_nanodollars END`;

/**
 * For batches with limited calls in any state. The first parameter holds the ids of their balances, which are locked
 * first. Calls with open rows release their reservations and are charged in groups (see `limit_charge`). Calls that
 * were marked as interrupted or whose rows were lost are charged late (`limit_charge_late`); all others were charged
 * before. The written row shows the state of a call: a lost row has no admission time, an interrupted row has
 * `interrupted_in`, and a row that was closed before has another transaction.
 */
export const UPSERT_CLOSED_LIMITED = `
  WITH lock AS MATERIALIZED (
    SELECT limit_lock($1::uuid[]) AS at, pg_current_xact_id()::text::bigint + xid_offset AS transaction
    FROM usage_rollup_state WHERE one
  ), closed AS (
    INSERT INTO usage_calls (instance_id, ${CLOSED}, limited_by, reserved_nanodollars)
    SELECT $2::bigint, ${CLOSED}, limited_by,
      CASE WHEN limited_by IS NULL THEN 0 ELSE reserved_nanodollars END
    FROM lock CROSS JOIN unnest($3::usage_closing[])
    ${onConflict(`${CHANGED_BUT_COST}, cost_nanodollars = ${CHARGED}`)}
    RETURNING id, started_at, limited_by, admitted_at, reserved_nanodollars AS reserved, cost_nanodollars AS charged,
      coalesce(prompt_nanodollars, 0) AS prompt, input_tokens + output_tokens AS tokens, estimated_input_tokens AS estimated,
      changed_in, admitted_at IS NULL OR interrupted_in IS NOT NULL AS is_late
  ), late AS (
    SELECT json_agg(json_build_object('id', id, 'started_at', started_at, 'limited_by', limited_by,
      'cost', charged, 'reserved', reserved,
      'already', CASE WHEN admitted_at IS NULL THEN 0 ELSE prompt END, 'since', admitted_at,
      'tokens', greatest(0, tokens - CASE WHEN admitted_at IS NULL THEN 0 ELSE estimated END))) AS calls
    FROM closed CROSS JOIN lock WHERE limited_by IS NOT NULL AND changed_in = lock.transaction AND is_late
  ), groups AS (
    SELECT limited_by::text AS balances, (admitted_at AT TIME ZONE 'UTC')::date AS admitted, count(*)::int AS calls,
      coalesce(sum(reserved), 0)::bigint AS held, sum(charged)::bigint AS charged,
      sum(greatest(0, tokens - estimated))::float8 AS tokens
    FROM closed CROSS JOIN lock WHERE limited_by IS NOT NULL AND changed_in = lock.transaction AND NOT is_late
    GROUP BY limited_by, 2
  )
  SELECT limit_charge(lock.at, sums.balances, sums.admitted, sums.calls, sums.held, sums.charged, sums.tokens),
    CASE WHEN late.calls IS NOT NULL THEN limit_charge_late(late.calls, lock.at) END
  FROM lock CROSS JOIN late CROSS JOIN (
    SELECT array_agg(balances) AS balances, array_agg(admitted) AS admitted, array_agg(calls) AS calls,
      array_agg(held) AS held, array_agg(charged) AS charged, array_agg(tokens) AS tokens FROM groups
  ) AS sums`;

/**
 * Deletes the rows of calls that were refused although their row was inserted, and releases their reservations. The
 * parameter is a JSON array of ids.
 */
export const DELETE_OPEN = 'SELECT limit_take_back($1::json)';

function onConflict(changes: string): string {
  return `ON CONFLICT (id, started_at) DO UPDATE SET ${changes},
    changed_in = CASE WHEN usage_calls.status = 'settled' THEN usage_calls.changed_in ELSE excluded.changed_in END,
    interrupted_in = CASE usage_calls.status
      WHEN 'interrupted' THEN usage_calls.changed_in WHEN 'settled' THEN usage_calls.interrupted_in END
  WHERE usage_calls.status IN ('open', 'interrupted') OR usage_calls.status = 'settled'
    AND usage_calls.error_code IS NULL AND excluded.status = 'settled' AND excluded.error_code IS NOT NULL`;
}

function namedAsExcluded(names: readonly string[]): string {
  return names.map((name) => `${name} = excluded.${name}`).join(', ');
}

/** The partitioned table. */
export const LEDGER = 'usage_calls';
const UNDEFINED_TABLE = '42P01';

/**
 * The ids of the row types and the months that have a partition, on which statements depend. They differ between
 * servers, so they are read with each new connection. A statement that was built for another server fails and is
 * built again.
 */
export class LedgerSchema {
  /** The ids of the row types. */
  opening = 0;
  closing = 0;
  demand = 0;
  call = 0;
  private partitions: ReadonlySet<string> = new Set();
  private month = { name: LEDGER, from: 0, to: 0 };

  /** The partition that contains all these calls, so that Postgres need not look it up; else the whole ledger. */
  tableOf(calls: readonly Pick<OpenCall, 'startedAt'>[]): string {
    const [first] = calls;
    if (!first) return LEDGER;
    if (!this.isInMonth(first.startedAt)) this.month = toMonth(first.startedAt);
    const { name } = this.month;
    return this.partitions.has(name) && calls.every(({ startedAt }) => this.isInMonth(startedAt)) ? name : LEDGER;
  }

  async read(client: Pick<pg.ClientBase, 'query'>): Promise<void> {
    const { rows } = await client.query<
      Record<'opening' | 'closing' | 'demand' | 'call', number> & { partitions: string[] }
    >(
      `SELECT 'usage_opening'::regtype::oid AS opening, 'usage_closing'::regtype::oid AS closing,
         'limit_demand'::regtype::oid AS demand, 'limit_call'::regtype::oid AS call,
         ARRAY(SELECT inhrelid::regclass::text FROM pg_inherits WHERE inhparent = '${LEDGER}'::regclass) AS partitions`,
    );
    const [row] = rows;
    if (!row) return;
    const { partitions, ...types } = row;
    Object.assign(this, types);
    this.partitions = new Set(partitions);
  }

  /** Whether a statement failed because a partition no longer exists. */
  isOutOfDate(error: unknown): boolean {
    if ((error as { code?: string }).code !== UNDEFINED_TABLE || this.partitions.size === 0) return false;
    this.partitions = new Set();
    return true;
  }

  private isInMonth(date: Date): boolean {
    const at = date.getTime();
    return at >= this.month.from && at < this.month.to;
  }
}

function toMonth(date: Date): { name: string; from: number; to: number } {
  return { name: partitionOf(date), from: monthAfter(date, 0).getTime(), to: monthAfter(date, 1).getTime() };
}

/** The ledger's partition for the month (UTC) of `date`. */
export function partitionOf(date: Date): string {
  return `usage_calls_${date.toISOString().slice(0, 7).replace('-', '_')}`;
}

/** The start (UTC) of the month `months` after that of `date`. */
export function monthAfter(date: Date, months: number): Date {
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1));
}
