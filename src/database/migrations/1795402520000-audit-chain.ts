import type { QueryRunner } from 'typeorm';
import { auditEntryText } from '../schema/audit-entry-text.js';
import { definitionOf } from '../schema/sql-functions.js';
import type { Migration } from './migration.js';

/** Each entry of the audit log gets a hash of itself and the previous hash, see audit_chain_append.sql. */
export class AuditChain1795402520000 implements Migration {
  readonly name = 'AuditChain1795402520000';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE IF NOT EXISTS audit_chain (
        position bigint PRIMARY KEY CHECK (position > 0),
        entry_id bigint NOT NULL UNIQUE,
        hash bytea NOT NULL CHECK (length(hash) = 32)
      )`);
    // Entries older than a day do not change: they are chained in portions, and only the rest under a lock.
    for (let links = -1, before = -2; links !== before; ) {
      await runner.query(chainEntries("at < now() - interval '1 day'", 5000));
      before = links;
      [{ links }] = await runner.query('SELECT count(*)::int AS links FROM audit_chain');
    }
    await runner.startTransaction();
    try {
      await this.finish(runner);
      await runner.commitTransaction();
    } catch (error) {
      await runner.rollbackTransaction();
      throw error;
    }
  }

  private async finish(runner: QueryRunner): Promise<void> {
    await runner.query('LOCK TABLE audit_log IN SHARE ROW EXCLUSIVE MODE');
    await runner.query(chainEntries('true', null));
    await runner.query(definitionOf('audit_chain_append'));
    await runner.query('DROP TRIGGER IF EXISTS audit_log_chained ON audit_log');
    await runner.query(`
      CREATE CONSTRAINT TRIGGER audit_log_chained AFTER INSERT ON audit_log
      DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION audit_chain_append()`);
    await runner.query(`
      CREATE OR REPLACE TRIGGER audit_chain_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_chain
      FOR EACH STATEMENT EXECUTE FUNCTION audit_log_is_append_only()`);
  }
}

/** Appends at most `limit` entries that are not in the chain yet, in the order of their ids. */
function chainEntries(where: string, limit: number | null): string {
  return `
    DO $$
    DECLARE
      entry audit_log;
      last_position bigint;
      last_hash bytea;
    BEGIN
      SELECT position, hash INTO last_position, last_hash FROM audit_chain ORDER BY position DESC LIMIT 1;
      FOR entry IN
        SELECT * FROM audit_log
        WHERE ${where} AND NOT EXISTS (SELECT FROM audit_chain WHERE entry_id = audit_log.id) ORDER BY id LIMIT ${limit}
      LOOP
        last_position := coalesce(last_position, 0) + 1;
        last_hash := sha256(coalesce(last_hash, '') || convert_to(${auditEntryText('entry')}, 'UTF8'));
        INSERT INTO audit_chain VALUES (last_position, entry.id, last_hash);
      END LOOP;
    END $$`;
}
