import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { NotFoundError } from '../common/usage.error.js';
import { ClockService } from '../database/clock.service.js';
import { ReportReaderService } from '../database/report-reader.service.js';
import { CALL_COLUMNS, type CallRow, newestCalls, newestOfAll, toCall } from './reports/newest-calls.js';
import { columnsOf } from './reports/usage-filter.js';
import type { CallPosition, Placed, UsageCall, UsageCallDetail, UsageCallFilter } from './usage.types.js';

export interface NewestCalls {
  calls: Placed<UsageCall>[];
  /** Everything committed before this time is included. */
  upToDateAt: Date;
}

/** Reads calls from the ledger, newest first. */
@Injectable()
export class UsageCallsService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly reports: ReportReaderService,
    private readonly clock: ClockService,
  ) {}

  async newest(filter: UsageCallFilter, behind: CallPosition | null, limit: number): Promise<NewestCalls> {
    const now = this.clock.now();
    return this.reports.snapshot(async (manager, lagMs) => {
      await manager.query('SET LOCAL jit = off');
      const question = { ...filter, behind, limit };
      const rows = await (isOfAll(filter) ? newestOfAll(manager, question) : newestCalls(manager, question));
      return {
        calls: rows.map(toCall),
        upToDateAt: new Date(now - (lagMs ?? 0)),
      };
    });
  }

  /**
   * Includes calls that have just ended. Calls of users who are not among the owners are reported as not found.
   * `column`: of the id; `answer_id` for the provider's own id that a client got.
   */
  async get(id: string, owners: readonly string[] | null, column: 'id' | 'answer_id' = 'id'): Promise<UsageCallDetail> {
    const isTheirs = owners === null ? '$2::uuid[] IS NULL' : 'user_id = ANY($2::uuid[])';
    const [row]: (CallRow & Omit<UsageCallDetail, keyof UsageCall>)[] = await this.dataSource.query(
      `SELECT ${CALL_COLUMNS}, attempts, charge, price_version AS "priceVersion", client_address AS "clientAddress",
         user_agent AS "userAgent" FROM usage_calls WHERE ${column} = $1 AND ${isTheirs} ORDER BY started_at DESC LIMIT 1`,
      [id, owners],
    );
    if (!row) throw new NotFoundError('There is no call with this id.');
    const { position: _, ...call } = toCall(row);
    return call;
  }
}

function isOfAll(filter: UsageCallFilter): boolean {
  return columnsOf(filter).length === 0;
}
