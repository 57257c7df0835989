import type { EntityManager } from 'typeorm';
import { hourOf, startOfSlot } from '../rollups/usage-pieces.js';
import { COUNTS } from '../rollups/usage-rollup-kinds.js';
import type { UsageDimension, UsageFilter } from '../usage.types.js';
import { conditionOf, isOneOf, SqlParameters } from './usage-filter.js';
import type { Sums, SumsQuestion } from './usage-tally.js';

/** The API of rows before it was recorded. */
const API = "coalesce(api, 'chat.completions')";

/** Refused requests called no upstream. */
const NAMES: Record<UsageDimension, string> = {
  user: 'user_id',
  key: 'key_id',
  model: 'model',
  api: API,
  upstream: 'NULL::text',
  status: "'refused'",
};

const NO_CALLS = {
  ...(Object.fromEntries(COUNTS.map((count) => [count, '0'])) as Record<(typeof COUNTS)[number], string>),
  running: '0',
  total_ms: Buffer.alloc(0),
  first_token_ms: Buffer.alloc(0),
};

/** Sums of refused requests, which are counted by the hour. An hour belongs to the cell in which it starts. */
export async function refusedSums(manager: EntityManager, question: SumsQuestion): Promise<Sums[]> {
  const { cells, only } = question;
  const parameters = new SqlParameters();
  const select = cells.starts.length === 0 ? null : refusedRows(question, parameters);
  if (select === null) return [];
  const starts = parameters.add(cells.starts.map(startOfSlot), 'timestamptz[]');
  const among = only === undefined ? 'true' : isOneOf('name::text', only, parameters);
  const rows: { cell: number; name: string | null; refused: number }[] = await manager.query(
    `SELECT greatest(width_bucket(hour, ${starts}) - 1, 0) AS cell, name::text, sum(calls)::float8 AS refused
     FROM (${select}) AS refused WHERE ${among} GROUP BY 1, 2`,
    parameters.values,
  );
  return rows.map((row) => ({ ...NO_CALLS, ...row, sign: 1 }));
}

/** Part of a statement over a single cell: rows of cell, sign, name and `columns`, which may contain `refused`. */
export function refusedPart(question: SumsQuestion, columns: string, parameters: SqlParameters): string[] {
  const select = question.withRefused ? refusedRows(question, parameters) : null;
  if (select === null) return [];
  return [
    `SELECT 0 AS cell, 1 AS sign, name, ${columns} FROM (
       SELECT name, sum(calls)::bigint AS refused FROM (${select}) AS counted GROUP BY name
     ) AS refused`,
  ];
}

function refusedRows(question: SumsQuestion, parameters: SqlParameters): string | null {
  const { cells, groupBy } = question;
  const filter = refusedFilterOf(question);
  if (filter === null) return null;
  const { httpStatus } = filter;
  // The hour in which the first cell starts belongs to that cell, even if the hour starts earlier.
  const from = parameters.add(startOfSlot(hourOf(cells.starts[0] ?? cells.end)), 'timestamptz');
  const to = parameters.add(startOfSlot(cells.end), 'timestamptz');
  const condition = conditionOf(filter, parameters);
  const ofStatus = httpStatus === null ? 'true' : `status = ${parameters.add(httpStatus, 'int')}`;
  const name = groupBy === null ? 'NULL::text' : NAMES[groupBy];
  return `SELECT hour, ${name} AS name, calls FROM (
      SELECT hour, user_id, key_id, model, status, ${API} AS api, calls FROM refused_calls
    ) AS refused WHERE hour >= ${from} AND hour < ${to} AND ${condition} AND ${ofStatus}`;
}

const NOT_VALID_KEY = 401;

/** The part of a filter that applies to refused requests; null if it excludes all of them. */
export interface RefusedFilter extends Omit<UsageFilter, 'statuses' | 'upstreams' | 'simulated'> {
  /** Null: any. */
  httpStatus: number | null;
}

/** Refused requests called no upstream, and are not simulated. `unauthorized` are those with HTTP status 401. */
export function refusedFilterOf({
  statuses = [],
  upstreams = [],
  simulated,
  ...rest
}: UsageFilter): RefusedFilter | null {
  if (upstreams.length > 0 || simulated) return null;
  if (statuses.length === 0 || statuses.includes('refused')) return { ...rest, httpStatus: null };
  return statuses.includes('unauthorized') ? { ...rest, httpStatus: NOT_VALID_KEY } : null;
}
