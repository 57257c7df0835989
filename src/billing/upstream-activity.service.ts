import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { SQL_CALLERS_FAULTS } from './callers-faults.js';

/** How an upstream has answered lately. */
export interface UpstreamActivity {
  readonly lastSuccessAt: Date | null;
  readonly lastError: UpstreamFailure | null;
}

export interface UpstreamFailure {
  readonly at: Date;
  readonly code: string;
  /** The upstream's own; null where it gave none. */
  readonly status: number | null;
  /** The public model id. */
  readonly model: string;
  readonly requestId: string;
}

/** No more of the newest calls are looked at, so that a busy day costs no more than a quiet one. */
const NEWEST_CALLS = 10_000;

/** $1: since when. Each upstream's last attempt that went well, and its last that failed through no fault of the caller. */
const LAST_ATTEMPTS = `
  SELECT DISTINCT ON (a.upstream, went_well)
    a.upstream, a.outcome = 'ok' AS went_well, a.outcome, a.status, call.model, call.request_id,
    call.started_at + a."startMs" * interval '1 ms' AS at
  FROM (
    SELECT started_at, model, request_id, attempts FROM usage_calls
    WHERE started_at > $1 AND status <> 'open' AND upstream IS NOT NULL ORDER BY started_at DESC LIMIT ${NEWEST_CALLS}
  ) AS call
  CROSS JOIN LATERAL jsonb_to_recordset(call.attempts)
    AS a (upstream text, outcome text, status int, "startMs" int)
  WHERE a.outcome NOT IN ('aborted', 'open', ${SQL_CALLERS_FAULTS})
  ORDER BY a.upstream, went_well, at DESC`;

interface AttemptRow {
  upstream: string;
  went_well: boolean;
  outcome: string;
  status: number | null;
  model: string;
  request_id: string;
  at: Date;
}

/** What the ledger tells of the upstreams. */
@Injectable()
export class UpstreamActivityService {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** By the upstream's name; one that was not called since then is missing. */
  async since(instant: Date): Promise<Map<string, UpstreamActivity>> {
    const rows: AttemptRow[] = await this.dataSource.query(LAST_ATTEMPTS, [instant]);
    const names = new Set(rows.map(({ upstream }) => upstream));
    return new Map([...names].map((name) => [name, activityOf(rows.filter(({ upstream }) => upstream === name))]));
  }
}

function activityOf(rows: readonly AttemptRow[]): UpstreamActivity {
  const failure = rows.find((row) => !row.went_well);
  return {
    lastSuccessAt: rows.find((row) => row.went_well)?.at ?? null,
    lastError: failure
      ? {
          at: failure.at,
          code: failure.outcome,
          status: failure.status,
          model: failure.model,
          requestId: failure.request_id,
        }
      : null,
  };
}
