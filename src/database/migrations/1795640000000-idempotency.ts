import type { QueryRunner } from 'typeorm';
import type { Migration } from './migration.js';

/** Stored answers for repeats with the same Idempotency-Key, and which call is still running for one. */
export class Idempotency1795640000000 implements Migration {
  readonly name = 'Idempotency1795640000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE idempotent_calls (
      key_id uuid NOT NULL REFERENCES api_keys ON DELETE CASCADE,
      key_hash bytea NOT NULL,
      request_hash bytea NOT NULL,
      call_id text NOT NULL,
      instance_id bigint NOT NULL,
      status text NOT NULL CHECK (status IN ('running', 'kept', 'not_kept')),
      answer bytea CHECK ((answer IS NOT NULL) = (status = 'kept')),
      expires_at timestamptz NOT NULL,
      PRIMARY KEY (key_id, key_hash)
    )`);
    await runner.query('CREATE INDEX idempotent_calls_expires_at ON idempotent_calls (expires_at)');
  }
}
