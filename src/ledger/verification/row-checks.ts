import type { EntityManager } from 'typeorm';
import { FaultList } from './fault-list.js';
import { rowsOfSlice, type Slice } from './time-slices.js';

const COLUMNS = `id, status, token_source, input_tokens, output_tokens, cached_tokens, cost_nanodollars,
  reserved_nanodollars, limited_by, admitted_at, started_at`;

const FAULTS = `
  SELECT CASE WHEN is_charged THEN format('call %s is %s and was charged %s of %s reserved nano-dollars by an estimate', id,
      status, cost_nanodollars, reserved_nanodollars)
    ELSE format('call %s is %s and has no tokens', id, status) END AS fault
  FROM (
    SELECT *, status IN ('aborted', 'interrupted') AND token_source = 'estimated' AND limited_by IS NOT NULL
        AND cost_nanodollars > reserved_nanodollars AS is_charged,
      status = 'settled' AND token_source IS NULL OR input_tokens < 0 OR output_tokens < 0 OR cached_tokens < 0 AS is_empty
    FROM ${rowsOfSlice(COLUMNS)} AS rows
  ) AS checked
  WHERE is_charged OR is_empty LIMIT $3`;

const COUNTS = `
  SELECT count(*)::float8 AS calls,
    coalesce(ceil(extract(epoch FROM -min(admitted_at - started_at)) * 1000), 0)::float8 AS "earlyMs"
  FROM ${rowsOfSlice('admitted_at, started_at')} AS rows`;

export class RowChecks {
  readonly faults = new FaultList();
  calls = 0;
  /** The most ms by which the database's admission time was before the start time on the gateway's clock. */
  earlyMs = 0;

  constructor(private readonly manager: EntityManager) {}

  async check({ from, to }: Slice): Promise<void> {
    const [{ calls, earlyMs }] = await this.manager.query(COUNTS, [from, to]);
    this.calls += calls;
    this.earlyMs = Math.max(this.earlyMs, earlyMs);
    if (calls > 0) this.faults.add(await this.manager.query(FAULTS, [from, to, this.faults.room]));
  }
}
