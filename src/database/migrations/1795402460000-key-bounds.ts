import type { QueryRunner } from 'typeorm';
import { backfill } from './growing-tables.js';
import type { Migration } from './migration.js';

/** Who disabled a key, and the restrictions that users other than its owner have set. */
export class KeyBounds1795402460000 implements Migration {
  readonly name = 'KeyBounds1795402460000';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE api_keys
        ADD COLUMN IF NOT EXISTS disabled_by uuid,
        ADD COLUMN IF NOT EXISTS bound_by uuid,
        ADD COLUMN IF NOT EXISTS bound_models text[],
        ADD COLUMN IF NOT EXISTS bound_addresses text[],
        ADD COLUMN IF NOT EXISTS bound_expires_at timestamptz`);
    await backfill(
      runner,
      `UPDATE api_keys SET disabled_by = found.actor_id FROM (
         SELECT k.id, a.actor_id FROM api_keys AS k CROSS JOIN LATERAL (
           SELECT actor_id FROM audit_log
           WHERE target_kind = 'key' AND target_id = k.id::text AND action = 'key.disable'
           ORDER BY audit_log.id DESC LIMIT 1
         ) AS a
         WHERE k.disabled_at IS NOT NULL AND k.disabled_by IS NULL AND a.actor_id IS NOT NULL LIMIT 1000
       ) AS found WHERE api_keys.id = found.id`,
    );
  }
}
