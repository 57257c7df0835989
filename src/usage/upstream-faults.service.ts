import { Injectable } from '@nestjs/common';
import { ClockService } from '../database/clock.service.js';
import { ReportReaderService } from '../database/report-reader.service.js';
import { SQL_CALLERS_FAULTS } from './rollups/usage-events.js';

/** Why an upstream, or one of its keys, has not answered since then. Somebody must act; waiting does not help. */
export interface UpstreamFault {
  /** Null: the upstream has a single key. */
  readonly key: string | null;
  /** The first failure after the last answer. */
  readonly since: Date;
  readonly code: string;
  /** Of the upstream's answer; null: there was none. */
  readonly status: number | null;
  /** The upstream's message. */
  readonly message: string | null;
}

const LOOKED_BACK_MS = 7 * 86_400_000;
const NEWEST_CALLS = 10_000;

/**
 * $1: the start. The newest attempt of each key of an upstream, if it failed because of the credential, the account, the
 * name of the model or the network.
 */
const FAULTS = `
  WITH attempt AS (
    SELECT a.upstream, a.key, a.outcome, a.status, a.message, call.started_at + a."startMs" * interval '1 ms' AS at
    FROM (
      SELECT started_at, attempts FROM usage_calls
      WHERE started_at > $1 AND status <> 'open' AND upstream IS NOT NULL ORDER BY started_at DESC LIMIT ${NEWEST_CALLS}
    ) AS call
    CROSS JOIN LATERAL jsonb_to_recordset(call.attempts)
      AS a (upstream text, key text, outcome text, status int, message text, "startMs" int)
    WHERE a.outcome NOT IN ('aborted', 'outrun', 'open', ${SQL_CALLERS_FAULTS})
  ), answered AS (
    SELECT upstream, key, max(at) AS at FROM attempt WHERE outcome = 'ok' GROUP BY upstream, key
  ), failed AS (
    SELECT attempt.*, min(attempt.at) OVER own AS since, row_number() OVER (own ORDER BY attempt.at DESC) AS newness
    FROM attempt LEFT JOIN answered
      ON answered.upstream = attempt.upstream AND answered.key IS NOT DISTINCT FROM attempt.key
    WHERE answered.at IS NULL OR attempt.at > answered.at
    WINDOW own AS (PARTITION BY attempt.upstream, attempt.key)
  )
  SELECT upstream, key, since, outcome AS code, nullif(status, 0) AS status, split_part(message, E'\\n', 1) AS message
  FROM failed WHERE newness = 1
    AND (outcome = 'upstream_unreachable' OR outcome = 'upstream_error' AND status BETWEEN 400 AND 499)
  ORDER BY upstream, key`;

@Injectable()
export class UpstreamFaultsService {
  constructor(
    private readonly database: ReportReaderService,
    private readonly clock: ClockService,
  ) {}

  /** By the upstream's name. A fault stays until the upstream answers with that key. */
  async list(): Promise<ReadonlyMap<string, readonly UpstreamFault[]>> {
    const rows = await this.database.snapshot(async (manager): Promise<(UpstreamFault & { upstream: string })[]> => {
      await manager.query('SET LOCAL jit = off');
      return manager.query(FAULTS, [new Date(this.clock.now() - LOOKED_BACK_MS)]);
    });
    const faults = new Map<string, UpstreamFault[]>();
    for (const { upstream, ...fault } of rows) faults.set(upstream, [...(faults.get(upstream) ?? []), fault]);
    return faults;
  }
}
