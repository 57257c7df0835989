import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { NotFoundError } from '../../common/not-found.error.js';
import { ReportReaderService } from '../../database/report-reader.service.js';
import { CALL_COLUMNS, type CallDetailRow, type CallRow, toCall } from './call-rows.js';
import { newestCalls, newestOfAll } from './newest-calls.js';
import type { CallPosition, Placed, UsageCall, UsageCallDetail, UsageCallFilter } from './usage-call.types.js';

const EXPORT_BATCH = 1000;

/** Reads calls from the ledger, newest first. */
@Injectable()
export class UsageCallsService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly reports: ReportReaderService,
  ) {}

  async newest(filter: UsageCallFilter, behind: CallPosition | null, limit: number): Promise<Placed<UsageCall>[]> {
    const rows = await this.read(filter, behind, limit);
    return rows.map((row) => ({ ...toCall(row), position: row.position }));
  }

  /** All calls in batches, read as fast as they are consumed. */
  async *all(filter: UsageCallFilter): AsyncGenerator<UsageCall[]> {
    let behind: CallPosition | null = null;
    for (;;) {
      const rows: CallRow[] = await this.read(filter, behind, EXPORT_BATCH);
      if (rows.length > 0) yield rows.map(toCall);
      const last = rows.at(-1);
      if (!last || rows.length < EXPORT_BATCH) return;
      behind = [last.position, last.id];
    }
  }

  /** Includes calls that have just ended. Another user's call is reported as not found. */
  async get(id: string, ownerId: string | null): Promise<UsageCallDetail> {
    const isTheirs = ownerId === null ? '$2::uuid IS NULL' : 'user_id = $2';
    const [row]: CallDetailRow[] = await this.dataSource.query(
      `SELECT ${CALL_COLUMNS}, attempts, charge, price_version FROM usage_calls WHERE id = $1 AND ${isTheirs}
       ORDER BY started_at DESC LIMIT 1`,
      [id, ownerId],
    );
    if (!row) throw new NotFoundError('There is no call with this id.');
    const { attempts, charge, price_version: priceVersion } = row;
    return { ...toCall(row), attempts, charge, priceVersion };
  }

  private read(filter: UsageCallFilter, behind: CallPosition | null, limit: number): Promise<CallRow[]> {
    return this.reports.snapshot(async (manager) => {
      await manager.query('SET LOCAL jit = off');
      return isOfAll(filter)
        ? newestOfAll(manager, { ...filter, behind, limit })
        : newestCalls(manager, { ...filter, behind, limit });
    });
  }
}

function isOfAll({ users = [], keys = [], models = [], statuses = [], apis = [] }: UsageCallFilter): boolean {
  return [users, keys, models, statuses, apis].every((values) => values.length === 0);
}
