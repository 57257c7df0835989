import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What a call costs the ledger, without what nobody needs: calls under way are found by their own index, and the two
 * checks of words that only the gateway writes were a sixth of the time.
 */
export class LeanLedger1795610000000 implements MigrationInterface {
  readonly name = 'LeanLedger1795610000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE usage_calls DROP CONSTRAINT usage_calls_status_check, DROP CONSTRAINT usage_calls_token_source_check`);
    await runner.query('DROP INDEX usage_calls_key, usage_calls_user');
    await runner.query("CREATE INDEX usage_calls_key ON usage_calls (key_id, started_at) WHERE status <> 'open'");
    await runner.query("CREATE INDEX usage_calls_user ON usage_calls (user_id, started_at) WHERE status <> 'open'");
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX usage_calls_key, usage_calls_user');
    await runner.query('CREATE INDEX usage_calls_key ON usage_calls (key_id, started_at)');
    await runner.query('CREATE INDEX usage_calls_user ON usage_calls (user_id, started_at)');
    await runner.query(`
      ALTER TABLE usage_calls
        ADD CONSTRAINT usage_calls_status_check
          CHECK (status IN ('open', 'settled', 'failed', 'aborted', 'interrupted')),
        ADD CONSTRAINT usage_calls_token_source_check CHECK (token_source IN ('reported', 'estimated'))`);
  }
}
