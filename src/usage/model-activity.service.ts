import { Injectable } from '@nestjs/common';
import { ReportReaderService } from '../database/report-reader.service.js';
import { SQL_CALLERS_FAULTS } from './rollups/usage-events.js';

/** A model's newest calls, without simulated calls, aborted calls, and failures caused by callers. */
export interface ModelActivity {
  readonly calls: number;
  readonly failures: number;
}

const NEWEST_CALLS = 10_000;

/** The number of a model's newest calls that show its current state. */
const TELLING_CALLS = 20;

/** $1: the start. */
const CALLS = `
  WITH newest AS (
    SELECT model, status, error_code, simulated, started_at FROM usage_calls
    WHERE started_at > $1 AND status <> 'open' ORDER BY started_at DESC LIMIT ${NEWEST_CALLS}
  ), ranked AS (
    SELECT model, status = 'settled' AS went_well, row_number() OVER (PARTITION BY model ORDER BY started_at DESC) AS newness
    FROM newest
    WHERE NOT simulated
      AND (status = 'settled' OR (status = 'failed' AND coalesce(error_code, '') NOT IN (${SQL_CALLERS_FAULTS})))
  )
  SELECT model, count(*)::int AS calls, (count(*) FILTER (WHERE NOT went_well))::int AS failures
  FROM ranked WHERE newness <= ${TELLING_CALLS} GROUP BY model`;

@Injectable()
export class ModelActivityService {
  constructor(private readonly database: ReportReaderService) {}

  /** By the model's id; models without calls are missing. */
  async since(instant: Date): Promise<ReadonlyMap<string, ModelActivity>> {
    const rows = await this.database.snapshot(
      (manager): Promise<(ModelActivity & { model: string })[]> => manager.query(CALLS, [instant]),
    );
    return new Map(rows.map(({ model, ...activity }) => [model, activity]));
  }
}

/** The speed of a model's newest successful streamed calls. */
export interface ModelSpeed {
  readonly calls: number;
  readonly p50FirstTokenMs: number;
  readonly p95FirstTokenMs: number;
  /** Output tokens per second after the first one; null if all came at once. */
  readonly tokensPerSecond: number | null;
}

/** $1: the start. */
const SPEEDS = `
  WITH newest AS (
    SELECT model, status, stream, simulated, output_tokens, first_token_ms, total_ms FROM usage_calls
    WHERE started_at > $1 AND status <> 'open' ORDER BY started_at DESC LIMIT ${NEWEST_CALLS}
  )
  SELECT model, count(*)::int AS calls,
    percentile_cont(0.5) WITHIN GROUP (ORDER BY first_token_ms) AS "p50FirstTokenMs",
    percentile_cont(0.95) WITHIN GROUP (ORDER BY first_token_ms) AS "p95FirstTokenMs",
    (1000.0 * sum(output_tokens) FILTER (WHERE total_ms > first_token_ms)
      / sum(total_ms - first_token_ms) FILTER (WHERE total_ms > first_token_ms))::float8 AS "tokensPerSecond"
  FROM newest WHERE stream AND status = 'settled' AND NOT simulated AND first_token_ms IS NOT NULL GROUP BY model`;

@Injectable()
export class ModelSpeedService {
  constructor(private readonly database: ReportReaderService) {}

  /** By the model's id, among the newest calls of all models. Models without streamed calls are missing. */
  async since(instant: Date): Promise<ReadonlyMap<string, ModelSpeed>> {
    const rows = await this.database.snapshot(
      (manager): Promise<(ModelSpeed & { model: string })[]> => manager.query(SPEEDS, [instant]),
    );
    return new Map(rows.map(({ model, ...speed }) => [model, speed]));
  }
}

/** Recent answers of an upstream. */
export interface UpstreamActivity {
  readonly lastSuccessAt: Date | null;
  readonly lastError: UpstreamFailure | null;
  /** Without attempts that clients cancelled or that failed because of the caller. */
  readonly attempts: number;
  readonly failures: number;
  /** The results of the newest attempts, newest first: true for success. */
  readonly newest: readonly boolean[];
}

export interface UpstreamFailure {
  readonly at: Date;
  readonly code: string;
  readonly status: number | null;
  /** The first line of the upstream's message. */
  readonly message: string | null;
  readonly model: string;
  readonly requestId: string;
}

/** The number of an upstream's newest attempts that show its current state. */
const TELLING_ATTEMPTS = 20;

/**
 * $1: the start. Returns for each upstream its last success and failure, their numbers, and the newest results.
 * Failures caused by callers are left out, as they do not depend on the upstream.
 */
const ATTEMPTS = `
  WITH attempt AS (
    SELECT a.upstream, a.outcome = 'ok' AS went_well, a.outcome, a.status, a.message, call.model, call.request_id,
      call.started_at + a."startMs" * interval '1 ms' AS at
    FROM (
      SELECT started_at, model, request_id, attempts FROM usage_calls
      WHERE started_at > $1 AND status <> 'open' AND upstream IS NOT NULL ORDER BY started_at DESC LIMIT ${NEWEST_CALLS}
    ) AS call
    CROSS JOIN LATERAL jsonb_to_recordset(call.attempts)
      AS a (upstream text, outcome text, status int, message text, "startMs" int)
    WHERE a.outcome NOT IN ('aborted', 'outrun', 'open', ${SQL_CALLERS_FAULTS})
  ), ranked AS (
    SELECT *, row_number() OVER (PARTITION BY upstream ORDER BY at DESC) AS newness,
      row_number() OVER (PARTITION BY upstream, went_well ORDER BY at DESC) AS place
    FROM attempt
  ), newest AS (
    SELECT upstream, array_agg(went_well ORDER BY at DESC) AS newest FROM ranked
    WHERE newness <= ${TELLING_ATTEMPTS} GROUP BY upstream
  ), counted AS (
    SELECT upstream, went_well, count(*)::int AS attempts FROM attempt GROUP BY upstream, went_well
  )
  SELECT upstream, went_well AS "wentWell", outcome AS code, status,
    split_part(message, E'\\n', 1) AS message, model, request_id AS "requestId", at, attempts, newest
  FROM ranked JOIN counted USING (upstream, went_well) JOIN newest USING (upstream) WHERE place = 1`;

interface AttemptRow extends UpstreamFailure {
  readonly upstream: string;
  readonly wentWell: boolean;
  readonly attempts: number;
  readonly newest: readonly boolean[];
}

@Injectable()
export class UpstreamActivityService {
  constructor(private readonly database: ReportReaderService) {}

  /** By the upstream's name; upstreams without calls are missing. */
  async since(instant: Date): Promise<Map<string, UpstreamActivity>> {
    const rows = await this.database.snapshot(async (manager): Promise<AttemptRow[]> => {
      // Compiling the statement takes many times as long as running it.
      await manager.query('SET LOCAL jit = off');
      return manager.query(ATTEMPTS, [instant]);
    });
    return new Map([...Map.groupBy(rows, ({ upstream }) => upstream)].map(([name, own]) => [name, activityOf(own)]));
  }
}

function activityOf(rows: readonly AttemptRow[]): UpstreamActivity {
  const success = rows.find(({ wentWell }) => wentWell);
  const failure = rows.find(({ wentWell }) => !wentWell);
  return {
    lastSuccessAt: success?.at ?? null,
    attempts: (success?.attempts ?? 0) + (failure?.attempts ?? 0),
    failures: failure?.attempts ?? 0,
    newest: rows[0]?.newest ?? [],
    lastError: failure ? toFailure(failure) : null,
  };
}

function toFailure({ at, code, status, message, model, requestId }: AttemptRow): UpstreamFailure {
  return { at, code, status, message, model, requestId };
}
