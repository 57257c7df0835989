import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Who disabled a key, and what somebody else than its owner has narrowed it to. */
export class KeyBounds1795402460000 implements MigrationInterface {
  readonly name = 'KeyBounds1795402460000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE api_keys
        ADD COLUMN disabled_by uuid,
        ADD COLUMN bound_by uuid,
        ADD COLUMN bound_models text[],
        ADD COLUMN bound_addresses text[],
        ADD COLUMN bound_expires_at timestamptz`);
    await runner.query(`
      UPDATE api_keys SET disabled_by = (
        SELECT actor_id FROM audit_log
        WHERE target_kind = 'key' AND target_id = api_keys.id::text AND action = 'key.disable'
        ORDER BY id DESC LIMIT 1
      ) WHERE disabled_at IS NOT NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE api_keys
        DROP COLUMN disabled_by, DROP COLUMN bound_by, DROP COLUMN bound_models, DROP COLUMN bound_addresses,
        DROP COLUMN bound_expires_at`);
  }
}
