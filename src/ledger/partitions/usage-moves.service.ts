import { Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { takeSchemaLockInTransaction } from '../../database/schema/advisory-locks.js';

/**
 * The ledger relies on increasing transaction numbers. A database that was restored on another Postgres server may
 * continue with lower numbers, so an offset is raised before the first call is written.
 */
@Injectable()
export class UsageMovesService {
  private readonly logger = new Logger('UsageMoves');

  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** Call it before anything is written to the ledger. */
  async arrive(): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      await takeSchemaLockInTransaction(manager);
      const [moved] = await manager.query(
        `SELECT system_identifier AS server FROM usage_rollup_state, pg_control_system() WHERE server <> system_identifier`,
      );
      if (!moved) return;
      const [{ offset }] = await manager.query(
        `SELECT greatest(
           rolled_up_to,
           (SELECT max(changed_in) FROM usage_calls WHERE status <> 'open'),
           (SELECT max(interrupted_in) FROM usage_calls WHERE interrupted_in IS NOT NULL)
         ) + 1 AS offset
         FROM usage_rollup_state`,
      );
      await manager.query(
        `ALTER TABLE usage_calls ALTER changed_in SET DEFAULT pg_current_xact_id()::text::bigint + ${BigInt(offset)}`,
      );
      await manager.query('UPDATE usage_rollup_state SET xid_offset = $1, server = $2', [offset, moved.server]);
      this.logger.log('The database has moved to another server; the usage ledger continues where it left off.');
    });
  }
}
