import { Injectable } from '@nestjs/common';
import { ReportReaderService } from '../../database/report-reader.service.js';

/** The speed of a model's newest successful streamed calls. */
export interface ModelSpeed {
  readonly calls: number;
  readonly p50FirstTokenMs: number;
  readonly p95FirstTokenMs: number;
  /** Output tokens per second after the first one; null if all came at once. */
  readonly tokensPerSecond: number | null;
}

const NEWEST_CALLS = 10_000;

/** $1: the start. */
const SPEEDS = `
  WITH newest AS (
    SELECT model, status, stream, output_tokens, first_token_ms, total_ms FROM usage_calls
    WHERE started_at > $1 AND status <> 'open' ORDER BY started_at DESC LIMIT ${NEWEST_CALLS}
  )
  SELECT model, count(*)::int AS calls,
    percentile_cont(0.5) WITHIN GROUP (ORDER BY first_token_ms) AS "p50FirstTokenMs",
    percentile_cont(0.95) WITHIN GROUP (ORDER BY first_token_ms) AS "p95FirstTokenMs",
    (1000.0 * sum(output_tokens) FILTER (WHERE total_ms > first_token_ms)
      / sum(total_ms - first_token_ms) FILTER (WHERE total_ms > first_token_ms))::float8 AS "tokensPerSecond"
  FROM newest WHERE stream AND status = 'settled' AND first_token_ms IS NOT NULL GROUP BY model`;

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
