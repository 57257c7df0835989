import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { NotFoundError } from '../../common/not-found.error.js';
import { ReportReaderService } from '../../database/report-reader.service.js';
import type { AttemptRecord, ChargeNotes } from '../usage.types.js';
import type { CallPosition, Placed, UsageCall, UsageCallDetail, UsageCallFilter } from './usage-call.types.js';
import { conditionOf } from './usage-filter.js';

const EXPORT_BATCH = 1000;

const COLUMNS = `id, started_at, request_id, key_id, key_display, user_id, plan_id, model, served_model, upstream, upstream_model,
  simulated, stream, status, finish_reason, error_code, input_tokens, cached_tokens, output_tokens, reasoning_tokens, token_source,
  cost_nanodollars, first_token_ms, total_ms, started_at::text AS position`;

interface CallRow {
  id: string;
  started_at: Date;
  request_id: string;
  key_id: string;
  key_display: string | null;
  user_id: string;
  plan_id: string;
  model: string;
  served_model: string | null;
  upstream: string | null;
  upstream_model: string | null;
  simulated: boolean;
  stream: boolean;
  status: UsageCall['status'];
  finish_reason: string | null;
  error_code: string | null;
  input_tokens: string;
  cached_tokens: string;
  output_tokens: string;
  reasoning_tokens: string;
  token_source: UsageCall['tokenSource'];
  cost_nanodollars: string;
  first_token_ms: number | null;
  total_ms: number | null;
  /** `started_at` to the microsecond. */
  position: string;
}

interface CallDetailRow extends CallRow {
  attempts: AttemptRecord[];
  charge: ChargeNotes | null;
  price_version: string;
}

/** Reads single calls from the ledger, newest first. */
@Injectable()
export class UsageCallsService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly reports: ReportReaderService,
  ) {}

  /** The newest that lie behind a place, each with its own. */
  async newest(filter: UsageCallFilter, behind: CallPosition | null, limit: number): Promise<Placed<UsageCall>[]> {
    const rows = await this.read(filter, behind, limit);
    return rows.map((row) => ({ ...toCall(row), position: row.position }));
  }

  /** Every call, a batch at a time: as fast as they are taken, and no longer than they are. */
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

  /** With its attempts, even if it has only just ended; somebody else's call is as unknown as one that never was. */
  async get(id: string, ownerId: string | null): Promise<UsageCallDetail> {
    const isTheirs = ownerId === null ? '$2::uuid IS NULL' : 'user_id = $2';
    const [row]: CallDetailRow[] = await this.dataSource.query(
      `SELECT ${COLUMNS}, attempts, charge, price_version FROM usage_calls WHERE id = $1 AND ${isTheirs}
       ORDER BY started_at DESC LIMIT 1`,
      [id, ownerId],
    );
    if (!row) throw new NotFoundError('There is no call with this id.');
    const { attempts, charge, price_version: priceVersion } = row;
    return { ...toCall(row), attempts, charge, priceVersion };
  }

  /** Open calls and the others have an index each. */
  private read(
    { from, to, ...filter }: UsageCallFilter,
    behind: CallPosition | null,
    limit: number,
  ): Promise<CallRow[]> {
    const { condition, values } = conditionOf(filter, 6);
    const select = (status: string) =>
      `SELECT ${COLUMNS} FROM usage_calls WHERE ${status} AND ${condition} AND started_at >= $1 AND started_at < $2
         AND ($4::text IS NULL OR (started_at, id) < ($4::timestamptz, $5))
         AND started_at <= coalesce($4::timestamptz, 'infinity')
       ORDER BY started_at DESC, id DESC LIMIT $3`;
    return this.reports.query(
      `(${select("status <> 'open'")}) UNION ALL (${select("status = 'open'")})
       ORDER BY started_at DESC, id DESC LIMIT $3`,
      [from, to, limit, behind?.[0] ?? null, behind?.[1] ?? null, ...values],
    );
  }
}

function toCall(row: CallRow): UsageCall {
  return {
    id: row.id,
    startedAt: row.started_at,
    requestId: row.request_id,
    keyId: row.key_id,
    keyDisplay: row.key_display,
    userId: row.user_id,
    planId: row.plan_id,
    model: row.model,
    servedModel: row.served_model,
    upstream: row.upstream,
    upstreamModel: row.upstream_model,
    simulated: row.simulated,
    stream: row.stream,
    status: row.status,
    finishReason: row.finish_reason,
    errorCode: row.error_code,
    tokens: {
      input: Number(row.input_tokens),
      cached: Number(row.cached_tokens),
      output: Number(row.output_tokens),
      reasoning: Number(row.reasoning_tokens),
    },
    tokenSource: row.token_source,
    costNanodollars: BigInt(row.cost_nanodollars),
    firstTokenMs: row.first_token_ms,
    totalMs: row.total_ms,
  };
}
