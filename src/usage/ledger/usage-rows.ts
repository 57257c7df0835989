import type { ClosedCall, OpenCall } from '../usage.types.js';

/** The error code of a settled call whose client did not get the end of the answer, as far as the gateway can tell. */
export const UNDELIVERED = 'undelivered';

/** The row of a call that begins, by column. */
export function toOpenRow(call: OpenCall, instanceId: string) {
  return { ...toCommonColumns(call, instanceId), status: 'open', ...toLimitedColumns(call) };
}

/** The row of a call that has ended, by column. */
export function toClosedRow(call: ClosedCall, instanceId: string) {
  return {
    ...toCommonColumns(call, instanceId),
    status: call.status,
    served_model: call.servedModel,
    upstream: call.upstream,
    upstream_model: call.upstreamModel,
    finish_reason: call.finishReason,
    error_code: call.errorCode,
    input_tokens: call.tokens.input,
    cached_tokens: call.tokens.cached,
    output_tokens: call.tokens.output,
    reasoning_tokens: call.tokens.reasoning,
    token_source: call.tokenSource,
    cost_nanodollars: String(call.costNanodollars),
    attempts: call.attempts,
    first_token_ms: call.firstTokenMs,
    total_ms: call.totalMs,
    ...toLimitedColumns(call),
  };
}

function toCommonColumns(call: OpenCall, instanceId: string) {
  return {
    id: call.id,
    started_at: call.startedAt,
    instance_id: instanceId,
    request_id: call.requestId,
    key_id: call.keyId,
    key_display: call.keyDisplay,
    user_id: call.userId,
    plan_id: call.planId,
    model: call.model,
    stream: call.stream,
    price_version: call.priceVersion,
    simulated: call.simulated,
    estimated_input_tokens: call.estimatedInputTokens,
  };
}

function toLimitedColumns({ ask }: OpenCall) {
  if (ask === null) return undefined;
  return {
    limited_by: ask.balances.map(({ id }) => id),
    reserved_nanodollars: ask.money && String(ask.money.full),
  };
}
