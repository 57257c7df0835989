import type { AttemptRecord, ChargeNotes } from '../../ledger/rows/call-record.types.js';
import type { UsageCall } from './usage-call.types.js';

export const CALL_COLUMNS = `id, started_at, request_id, key_id, key_display, user_id, plan_id, model, served_model, upstream, upstream_model,
  simulated, api, stream, status, finish_reason, error_code, input_tokens, cached_tokens, output_tokens, reasoning_tokens, token_source,
  cost_nanodollars, first_token_ms, total_ms, started_at::text AS position`;

export interface CallRow {
  id: string;
  started_at: Date;
  request_id: string;
  key_id: string;
  key_display: string | null;
  user_id: string;
  plan_id: string;
  model: string;
  served_model: string | null;
  upstream: string | null;
  upstream_model: string | null;
  simulated: boolean;
  api: string;
  stream: boolean;
  status: UsageCall['status'];
  finish_reason: string | null;
  error_code: string | null;
  input_tokens: string;
  cached_tokens: string;
  output_tokens: string;
  reasoning_tokens: string;
  token_source: UsageCall['tokenSource'];
  cost_nanodollars: string;
  first_token_ms: number | null;
  total_ms: number | null;
  /** `started_at` with microseconds. */
  position: string;
}

export interface CallDetailRow extends CallRow {
  attempts: AttemptRecord[];
  charge: ChargeNotes | null;
  price_version: string;
}

export function toCall(row: CallRow): UsageCall {
  return {
    id: row.id,
    startedAt: row.started_at,
    requestId: row.request_id,
    keyId: row.key_id,
    keyDisplay: row.key_display,
    userId: row.user_id,
    planId: row.plan_id,
    model: row.model,
    servedModel: row.served_model,
    upstream: row.upstream,
    upstreamModel: row.upstream_model,
    simulated: row.simulated,
    api: row.api,
    stream: row.stream,
    status: row.status,
    finishReason: row.finish_reason,
    errorCode: row.error_code,
    tokens: {
      input: Number(row.input_tokens),
      cached: Number(row.cached_tokens),
      output: Number(row.output_tokens),
      reasoning: Number(row.reasoning_tokens),
    },
    tokenSource: row.token_source,
    costNanodollars: BigInt(row.cost_nanodollars),
    firstTokenMs: row.first_token_ms,
    totalMs: row.total_ms,
  };
}
