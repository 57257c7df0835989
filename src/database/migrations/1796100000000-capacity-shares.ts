import type { QueryRunner } from 'typeorm';
import type { Migration } from './migration.js';

/** What each process used of the upstreams' limits in the last second. It need not survive a crash. */
export class CapacityShares1796100000000 implements Migration {
  readonly name = 'CapacityShares1796100000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE UNLOGGED TABLE capacity_shares (
      scope text NOT NULL,
      instance_id bigint NOT NULL,
      asked double precision NOT NULL,
      under_way integer NOT NULL,
      places integer NOT NULL,
      seen_at timestamptz NOT NULL,
      PRIMARY KEY (scope, instance_id)
    ) WITH (fillfactor = 50)`);
  }
}
