/** Error codes of mistakes of the caller, which do not count as errors of the upstream. */
const CALLERS_FAULTS = [
  'content_filter',
  'context_length_exceeded',
  'invalid_json',
  'invalid_type',
  'invalid_value',
  'missing_required_parameter',
  'request_too_large',
  'unsupported_value',
];

export const SQL_CALLERS_FAULTS = CALLERS_FAULTS.map((code) => `'${code}'`).join(', ');

const SUMMED = ['input_tokens', 'cached_tokens', 'output_tokens', 'reasoning_tokens', 'cost_nanodollars'] as const;

const WHO_AND_WHAT = 'started_at, user_id, key_id, model, api';
/** Interrupted calls add only their prompt to the sums; open calls add nothing. */
const NOTHING_SUMMED = '0, 0, 0, 0, 0, 0, NULL, NULL';
const promptSummed = (sign: '' | '-') =>
  `0, ${sign}estimated_input_tokens, 0, 0, 0, ${sign}coalesce(prompt_nanodollars, 0), NULL, NULL`;

/**
 * The columns of sums over events (see `usageEvents`), including histograms. Histograms are never subtracted, as
 * interrupted calls have no times.
 */
export const SUMS = [
  'sum(calls)::bigint AS calls',
  "coalesce(sum(calls) FILTER (WHERE status = 'open'), 0)::bigint AS running",
  'sum(errors)::bigint AS errors',
  "coalesce(sum(calls) FILTER (WHERE status = 'aborted'), 0)::bigint AS aborted",
  'sum(simulated)::bigint AS simulated',
  ...SUMMED.map((column) => `sum(${column})::bigint AS ${column}`),
  ...['total_ms', 'first_token_ms'].map(
    (column) =>
      `coalesce(string_agg(usage_histogram(${column}), '') FILTER (WHERE ${column} IS NOT NULL), '') AS ${column}`,
  ),
].join(', ');

/** Failures and the simulator are faster than any model, so that only answers of upstreams have times. */
const IS_LIVE_ANSWER = "status = 'settled' AND NOT simulated";

/** An answer that is not streamed has no first token: its time is that of the whole answer. */
const TIMES = `CASE WHEN ${IS_LIVE_ANSWER} THEN total_ms END AS total_ms,
  CASE WHEN stream AND ${IS_LIVE_ANSWER} THEN first_token_ms END AS first_token_ms`;

const SIMULATED = "(simulated AND status = 'settled')::int AS simulated";

/** The quarter-hour in which a call started. */
export const SLOT = 'floor(extract(epoch FROM started_at) / 900)::int';

/** The upstream refused the call because of a mistake of the caller: an error, but not of the upstream. */
const IS_CALLERS_FAULT = `(upstream IS NOT NULL AND status = 'failed' AND coalesce(error_code, '') IN (${SQL_CALLERS_FAULTS}))`;

const ERRORS = `(status IN ('failed', 'interrupted') AND NOT ${IS_CALLERS_FAULT})::int`;

/**
 * The ledger's events in the transactions from `from` until before `to` (null: until now), as rows to add up: a closed
 * call; an interrupted call; and the reversal of an interrupted call that was closed later. Each event has its
 * transaction, so sums up to a transaction never change. Errors caused by callers count for no upstream.
 */
export function usageEvents(from: string, to: string | null, condition = 'true'): string {
  const during = (column: string) =>
    to === null ? `${column} >= ${from}` : `${column} >= ${from} AND ${column} < ${to}`;
  const select = (upstream: string, status: string, rest: string) =>
    `SELECT ${WHO_AND_WHAT}, ${upstream} AS upstream, ${status} AS status, ${rest} FROM usage_calls WHERE ${condition} AND `;
  return `
    ${select('upstream', 'status', `1 AS calls, ${ERRORS} AS errors, ${SIMULATED}, ${SUMMED.join(', ')}, ${TIMES}`)}
      status <> 'open' AND ${during('changed_in')}
    UNION ALL ${select('NULL', 'status', `0, 1, ${NOTHING_SUMMED}`)}
      ${IS_CALLERS_FAULT} AND ${during('changed_in')}
    UNION ALL ${select('NULL', "'interrupted'", `-1, -1, ${promptSummed('-')}`)}
      status <> 'open' AND interrupted_in IS NOT NULL AND ${during('changed_in')}
    UNION ALL ${select('NULL', "'interrupted'", `1, 1, ${promptSummed('')}`)}
      status <> 'open' AND interrupted_in IS NOT NULL AND ${during('interrupted_in')}`;
}

/** Open calls in the shape of events. */
export function openCalls(condition: string): string {
  return `SELECT ${WHO_AND_WHAT}, NULL AS upstream, status, 1 AS calls, 0 AS errors, ${NOTHING_SUMMED}
    FROM usage_calls WHERE ${condition} AND status = 'open'`;
}
