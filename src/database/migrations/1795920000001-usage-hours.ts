import type { QueryRunner } from 'typeorm';
import type { Migration } from './migration.js';

const SUMS = `
  calls bigint NOT NULL,
  errors bigint NOT NULL,
  aborted bigint NOT NULL,
  input_tokens bigint NOT NULL,
  cached_tokens bigint NOT NULL,
  output_tokens bigint NOT NULL,
  reasoning_tokens bigint NOT NULL,
  cost_nanodollars bigint NOT NULL,
  total_ms bytea NOT NULL,
  first_token_ms bytea NOT NULL`;

/** The former tables of sums by key. */
const OLD_KINDS = ['key', 'call', 'failure'];

/**
 * Sums by the hour, one row for each key, model, upstream and status, and by the day, computed from the hours. The former
 * tables keep their rows, which end at `hours_begin`; the constraint stops older versions from adding more.
 */
export class UsageHours1795920000001 implements Migration {
  readonly name = 'UsageHours1795920000001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE usage_hours (
        slot int NOT NULL,
        user_id uuid NOT NULL,
        key_id uuid NOT NULL,
        group_id bigint NOT NULL,
        model text NOT NULL,
        upstream text,
        status text NOT NULL,
        ${SUMS},
        PRIMARY KEY (slot, user_id, key_id, group_id)
      ) WITH (fillfactor = 80)`);
    await runner.query(`
      CREATE TABLE usage_key_days (
        slot int NOT NULL,
        user_id uuid NOT NULL,
        key_id uuid NOT NULL,
        is_mixed boolean NOT NULL,
        model text,
        upstream text,
        status text,
        ${SUMS},
        PRIMARY KEY (slot, user_id, key_id)
      ) WITH (fillfactor = 80)`);
    await runner.query(`
      CREATE TABLE usage_call_days (
        slot int NOT NULL,
        user_id uuid NOT NULL,
        key_id uuid NOT NULL,
        group_id bigint NOT NULL,
        model text NOT NULL,
        upstream text,
        status text NOT NULL,
        ${SUMS},
        PRIMARY KEY (slot, user_id, key_id, group_id)
      ) WITH (fillfactor = 80)`);
    await runner.query(`
      ALTER TABLE usage_rollup_state
        ADD hours_begin int NOT NULL DEFAULT 0,
        ADD hours_kept_from int NOT NULL DEFAULT 0,
        ADD days_up_to int NOT NULL DEFAULT 0`);
    const [{ begin }]: [{ begin: number }] = await runner.query(`
      SELECT CASE WHEN max(slot) IS NULL THEN 0 ELSE
        4 * (1 + greatest(max(slot), floor(extract(epoch FROM now()) / 900)::int) / 4) END AS begin
      FROM usage_rollups_all WHERE quarters = 1`);
    await runner.query('UPDATE usage_rollup_state SET hours_begin = $1, hours_kept_from = $1, days_up_to = $1', [
      begin,
    ]);
    for (const kind of OLD_KINDS) {
      await runner.query(`
        ALTER TABLE usage_rollups_${kind}
          ADD CONSTRAINT usage_rollups_${kind}_ended CHECK (slot < ${Number(begin)}) NOT VALID`);
    }
  }
}
