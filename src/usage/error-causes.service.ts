import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { ReportReaderService } from '../database/report-reader.service.js';
import { refusedFilterOf } from './reports/refused-sums.js';
import { conditionOf, errorConditionOf, SqlParameters } from './reports/usage-filter.js';
import type { ErrorCause, ErrorCauses, UsageRequestFilter } from './usage.types.js';

const SHOWN = 100;
const MODELS_SHOWN = 10;

/** Words with digits differ between messages with the same cause: numbers, ids, times. */
const PATTERN = `regexp_replace(coalesce(line, ''), '\\S*\\d\\S*', '#', 'g')`;

type CauseRow = Omit<ErrorCause, 'kind' | 'models'> & { readonly models: readonly (string | null)[] };

/** Errors of a range, all that have the same cause together. */
@Injectable()
export class ErrorCausesService {
  constructor(private readonly database: ReportReaderService) {}

  /** The most frequent first. Of the conditions on single calls, those on error codes and statuses apply. */
  async of(filter: UsageRequestFilter): Promise<ErrorCauses> {
    return this.database.snapshot(async (manager) => {
      await manager.query('SET LOCAL jit = off');
      const [failed, refused] = [await failedCauses(manager, filter), await refusedCauses(manager, filter)];
      const causes = [...failed.map(toCause('failed')), ...refused.map(toCause('refused'))];
      const ordered = causes.sort((a, b) => b.count - a.count || b.lastAt.getTime() - a.lastAt.getTime());
      const rest = ordered.slice(SHOWN);
      return { causes: ordered.slice(0, SHOWN), others: rest.reduce((sum, { count }) => sum + count, 0) };
    });
  }
}

function toCause(kind: ErrorCause['kind']) {
  return ({ models, ...row }: CauseRow): ErrorCause => ({
    kind,
    ...row,
    models: models.flatMap((model) => model || []).slice(0, MODELS_SHOWN),
  });
}

/** By upstream, its status, the error code and the first line of the message. */
async function failedCauses(
  manager: EntityManager,
  { from, to, where = {}, ...filter }: UsageRequestFilter,
): Promise<CauseRow[]> {
  const { statuses = [] } = filter;
  if (statuses.length > 0 && !statuses.some((one) => one === 'failed' || one === 'interrupted')) return [];
  const parameters = new SqlParameters(from, to);
  const condition = conditionOf(filter, parameters);
  const ofErrors = errorConditionOf(where, parameters, { code: 'code', statuses: ['http_status', 'provider_status'] });
  return manager.query(
    `SELECT upstream, provider_status AS status, code, (max(ARRAY[started_at::text, id, line]))[3] AS message,
       (max(ARRAY[started_at::text, id]))[2] AS "lastId", count(*)::int AS count, count(DISTINCT user_id)::int AS users,
       array_agg(DISTINCT model) AS models, min(started_at) AS "firstAt", max(started_at) AS "lastAt"
     FROM (
       SELECT id, started_at, user_id, model, upstream, http_status, nullif((attempts -> -1 ->> 'status')::int, 0) AS provider_status,
         coalesce(error_code, status) AS code, split_part(attempts -> -1 ->> 'message', E'\\n', 1) AS line
       FROM usage_calls WHERE status IN ('failed', 'interrupted') AND started_at >= $1 AND started_at < $2 AND ${condition}
     ) AS call WHERE ${ofErrors} GROUP BY upstream, provider_status, code, ${PATTERN}`,
    parameters.values,
  );
}

/**
 * By status and code. They are counted by the hour; the newest ones are stored with their messages, so the time of the
 * last is exact, and that of the first is the start of its hour.
 */
async function refusedCauses(
  manager: EntityManager,
  { from, to, where = {}, ...filter }: UsageRequestFilter,
): Promise<CauseRow[]> {
  const requested = refusedFilterOf(filter);
  if (requested === null) return [];
  const parameters = new SqlParameters(from, to, requested.httpStatus);
  const ofErrors = errorConditionOf(where, parameters, { code: 'one.error_code', statuses: ['one.status'] });
  const condition = `${conditionOf(requested, parameters, 'one.')} AND ${ofErrors} AND ($3::int IS NULL OR one.status = $3)`;
  return manager.query(
    `WITH counted AS (
       SELECT * FROM (
         SELECT hour, user_id, key_id, model, coalesce(api, 'chat.completions') AS api, status, code AS error_code, calls
         FROM refused_calls
         WHERE hour >= date_trunc('hour', $1::timestamptz) AND hour < $2
       ) AS one WHERE ${condition}
     ), newest AS (
       SELECT DISTINCT ON (status, error_code) * FROM (
         SELECT at, 'refused-' || lpad(id::text, 12, '0') AS id, user_id, key_id, coalesce(asked_model, model, '') AS model,
           coalesce(api, 'chat.completions') AS api, status, code AS error_code, message
         FROM recent_errors WHERE at >= $1 AND at < $2
       ) AS one WHERE ${condition}
       ORDER BY status, error_code, at DESC, id DESC
     )
     SELECT NULL AS upstream, status, error_code AS code, newest.message, newest.id AS "lastId",
       sum(calls)::int AS count, count(DISTINCT counted.user_id)::int AS users,
       array_agg(DISTINCT counted.model) AS models, greatest(min(hour), $1) AS "firstAt",
       coalesce(newest.at, least(max(hour) + interval '1 hour', $2)) AS "lastAt"
     FROM counted LEFT JOIN newest USING (status, error_code)
     GROUP BY status, error_code, newest.message, newest.id, newest.at`,
    parameters.values,
  );
}
