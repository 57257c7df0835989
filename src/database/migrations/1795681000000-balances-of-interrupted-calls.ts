import type { MigrationInterface, QueryRunner } from 'typeorm';
import { INTERRUPT } from './1795613000000-limit-endings.js';

/**
 * A process that lost its lock may be alive and open calls on: of those only the ones whose balances were locked are
 * closed as `interrupted`, so that nobody waits in a circle. The rest come with the next sweep.
 */
export class BalancesOfInterruptedCalls1795681000000 implements MigrationInterface {
  readonly name = 'BalancesOfInterruptedCalls1795681000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(INTERRUPT_LOCKED);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(INTERRUPT.replace('CREATE FUNCTION', 'CREATE OR REPLACE FUNCTION'));
  }
}

/** Closes the open calls of a process whose advisory lock is free, and gives back what they held. Returns how many. */
const INTERRUPT_LOCKED = `
  CREATE OR REPLACE FUNCTION limit_interrupt(instance bigint) RETURNS int LANGUAGE plpgsql AS $$
  DECLARE
    locked uuid[];
    whose text[];
    since timestamptz[];
    held bigint[];
    calls int;
  BEGIN
    IF NOT pg_try_advisory_xact_lock(instance) THEN
      RETURN 0;
    END IF;
    SELECT array_agg(DISTINCT i.id) INTO locked FROM usage_calls AS u CROSS JOIN unnest(u.limited_by) AS i (id)
    WHERE u.status = 'open' AND u.instance_id = instance;
    PERFORM limit_lock(locked);
    WITH closed AS (
      UPDATE usage_calls SET status = 'interrupted', error_code = 'interrupted', changed_in = DEFAULT,
        input_tokens = estimated_input_tokens, token_source = 'estimated'
      WHERE status = 'open' AND instance_id = instance AND (limited_by IS NULL OR limited_by <@ locked)
      RETURNING limited_by, admitted_at, coalesce(reserved_nanodollars, 0) AS reserved
    )
    SELECT count(*), array_agg(c.limited_by::text) FILTER (WHERE c.limited_by IS NOT NULL),
      array_agg(c.admitted_at) FILTER (WHERE c.limited_by IS NOT NULL),
      array_agg(c.reserved) FILTER (WHERE c.limited_by IS NOT NULL)
    INTO calls, whose, since, held FROM closed AS c;
    IF whose IS NOT NULL THEN
      PERFORM limit_change(whose, since, held, array_fill(0::bigint, ARRAY[cardinality(whose)]),
        array_fill(0::float8, ARRAY[cardinality(whose)]), 1);
    END IF;
    RETURN calls;
  END $$`;
