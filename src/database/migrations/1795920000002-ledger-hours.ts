import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * One index by hour, user and key in place of those by key and by user: a call's entry goes to one of the few pages of
 * the present hour instead of anywhere.
 */
export class LedgerHours1795920000002 implements MigrationInterface {
  readonly name = 'LedgerHours1795920000002';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX usage_calls_hour ON usage_calls
        (date_bin('1 hour', started_at, '2000-01-01 00:00:00+00'::timestamptz), user_id, key_id)
        WHERE status <> 'open'`);
    await runner.query('DROP INDEX usage_calls_key, usage_calls_user');
    await runner.query('CREATE INDEX recent_errors_of_user ON recent_errors (user_id, at DESC, id DESC)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("CREATE INDEX usage_calls_key ON usage_calls (key_id, started_at) WHERE status <> 'open'");
    await runner.query("CREATE INDEX usage_calls_user ON usage_calls (user_id, started_at) WHERE status <> 'open'");
    await runner.query('DROP INDEX usage_calls_hour, recent_errors_of_user');
  }
}
