import type { Placed, UsageCall } from './usage-call.types.js';

/** A `CallRow`. `position`: `started_at` with microseconds. */
export const CALL_COLUMNS = `id, started_at AS "startedAt", request_id AS "requestId", key_id AS "keyId",
  key_display AS "keyDisplay", user_id AS "userId", plan_id AS "planId", model, served_model AS "servedModel", upstream,
  upstream_model AS "upstreamModel", simulated, api, stream, status, finish_reason AS "finishReason",
  error_code AS "errorCode", token_source AS "tokenSource", cost_nanodollars AS "costNanodollars",
  first_token_ms AS "firstTokenMs", total_ms AS "totalMs", started_at::text AS position, json_build_object(
    'input', input_tokens, 'cached', cached_tokens, 'output', output_tokens, 'reasoning', reasoning_tokens) AS tokens`;

export type CallRow = Omit<Placed<UsageCall>, 'costNanodollars'> & { costNanodollars: string };

export function toCall<Row extends CallRow>({ costNanodollars, ...row }: Row) {
  return { ...row, costNanodollars: BigInt(costNanodollars) };
}
