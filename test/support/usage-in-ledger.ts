import { expect } from '@jest/globals';
import type { UsageQuestion, UsageSums } from '../../src/usage/usage.types.js';
import type { UsageReportsService } from '../../src/usage/usage-reports.service.js';
import type { TestDatabase } from './test-database.js';

const COLUMNS = {
  ...{ model: 'model', key: 'key_id', user: 'user_id', upstream: 'upstream', status: 'status', api: 'api' },
  project: '(SELECT project_id FROM users WHERE users.id = user_id)',
};

const WHOLE_CALLS = "SELECT *, 1 AS calls, (status IN ('failed', 'interrupted'))::int AS errors FROM usage_calls";

/** A caller's fault counts as a call of its upstream, but not as its error. */
const CALLS_BY_UPSTREAM = `
  WITH marked AS (SELECT *, upstream IS NOT NULL AND status = 'failed' AND error_code = 'invalid_value' AS blame FROM usage_calls)
  SELECT started_at, user_id, key_id, model, api, upstream, status, input_tokens, cached_tokens, output_tokens,
    reasoning_tokens, cost_nanodollars, total_ms, first_token_ms, stream, simulated, 1 AS calls,
    (status IN ('failed', 'interrupted') AND blame IS NOT TRUE)::int AS errors FROM marked
  UNION ALL SELECT started_at, user_id, key_id, model, api, NULL, status, 0, 0, 0, 0, 0, NULL, NULL, NULL, false, 0, 1 FROM marked WHERE blame`;

const LIVE = "status = 'settled' AND NOT simulated";

const EXPECTED_SUMS = `sum(calls) AS requests,
  count(*) FILTER (WHERE status = 'open') AS running,
  sum(errors) AS errors,
  count(*) FILTER (WHERE status = 'aborted') AS aborted,
  count(*) FILTER (WHERE status = 'settled' AND simulated) AS simulated,
  greatest(0, sum(calls) - sum(errors) - count(*) FILTER (WHERE status IN ('open', 'aborted')
    OR (status = 'settled' AND simulated))) AS succeeded,
  0 AS refused,
  sum(input_tokens) AS "inputTokens", sum(cached_tokens) AS "cachedTokens",
  sum(output_tokens) AS "outputTokens", sum(reasoning_tokens) AS "reasoningTokens",
  sum(cost_nanodollars) AS "costNanodollars",
  count(*) FILTER (WHERE ${LIVE} AND total_ms IS NOT NULL) AS timed,
  percentile_disc(0.5) WITHIN GROUP (ORDER BY total_ms) FILTER (WHERE ${LIVE}) AS "p50TotalMs",
  percentile_disc(0.95) WITHIN GROUP (ORDER BY total_ms) FILTER (WHERE ${LIVE}) AS "p95TotalMs",
  percentile_disc(0.5) WITHIN GROUP (ORDER BY first_token_ms) FILTER (WHERE stream AND ${LIVE}) AS "p50FirstTokenMs",
  percentile_disc(0.95) WITHIN GROUP (ORDER BY first_token_ms) FILTER (WHERE stream AND ${LIVE}) AS "p95FirstTokenMs"`;

/** Compares a report with the ledger. */
export async function expectMatchesLedger(
  database: TestDatabase,
  reports: UsageReportsService,
  question: UsageQuestion,
): Promise<void> {
  const report = await reports.report(question);
  const rows = await expected(database, question);
  const found = report.series.flatMap(({ start, groups }) => groups.map((group) => ({ start, ...group })));
  const place = ({ start, id }: { start: Date; id: string | null }) => `${Math.max(+start, +question.from)} ${id}`;
  const sought = new Map(rows.map((row) => [place(row as never), row]));
  expect(found.map(place).sort()).toEqual([...sought.keys()].sort());
  for (const group of found) expectSums(group.sums, sought.get(place(group)) ?? {});
  expect(report.totals.requests).toBe(rows.reduce((sum, { requests }) => sum + Number(requests), 0));
  expect(report.groups.reduce((sum, { sums }) => sum + sums.costNanodollars, 0n)).toBe(report.totals.costNanodollars);
}

/** The expected report, straight from the ledger. */
function expected(database: TestDatabase, { from, to, zone, groupBy, granularity, ...filter }: UsageQuestion) {
  const name = groupBy === null ? 'NULL' : `${COLUMNS[groupBy]}::text`;
  return database.query(
    `SELECT date_trunc('${granularity}', started_at, $3) AS start, ${name} AS id, ${EXPECTED_SUMS}
     FROM (${groupBy === 'upstream' || filter.upstreams ? CALLS_BY_UPSTREAM : WHOLE_CALLS}) AS call
     WHERE started_at >= $1 AND started_at < $2
       AND ($4::uuid[] IS NULL OR user_id = ANY($4)) AND ($5::uuid[] IS NULL OR key_id = ANY($5))
       AND ($6::text[] IS NULL OR model = ANY($6)) AND ($7::text[] IS NULL OR status = ANY($7))
       AND ($8::text[] IS NULL OR api = ANY($8)) AND ($9::text[] IS NULL OR upstream = ANY($9))
     GROUP BY 1, 2`,
    [from, to, zone, filter.users, filter.keys, filter.models, filter.statuses, filter.apis, filter.upstreams],
  );
}

function expectSums(sums: UsageSums, row: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(sums)) {
    const required = row[name] === null ? null : Number(row[name]);
    if (!name.startsWith('p')) expect({ [name]: Number(value) }).toEqual({ [name]: required });
    else if (required === null || value === null) expect({ [name]: value }).toEqual({ [name]: required });
    else {
      expect(Number(value)).toBeGreaterThanOrEqual(required * 0.95 - 0.1);
      expect(Number(value)).toBeLessThanOrEqual(required * 1.05 + 0.1);
    }
  }
}
