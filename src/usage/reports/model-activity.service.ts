import { Injectable } from '@nestjs/common';
import { ReportReaderService } from '../../database/report-reader.service.js';
import { SQL_CALLERS_FAULTS } from '../rollups/callers-faults.js';

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
