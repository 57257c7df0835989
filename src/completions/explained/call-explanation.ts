import { toUsd } from '../../common/usd.js';
import type { UsageCallDetail } from '../../usage/reports/usage-call.types.js';

/** The record of a call for its caller. Contains no text of the request or the answer. */
export function toExplanation(call: UsageCallDetail) {
  const { input, cached, output, reasoning } = call.tokens;
  return {
    id: call.requestId,
    completionId: call.id,
    status: call.status,
    model: call.model,
    servedModel: call.servedModel,
    stream: call.stream,
    simulated: call.simulated,
    startedAt: call.startedAt,
    totalMs: call.totalMs,
    firstTokenMs: call.firstTokenMs,
    finishReason: call.finishReason,
    errorCode: call.errorCode,
    tokens: { input, cached, output, reasoning, source: call.tokenSource },
    costUsd: Number(toUsd(call.costNanodollars)),
    costNanodollars: String(call.costNanodollars),
    attempts: call.attempts.map(({ upstream, upstreamModel, outcome, status, startMs, ms, waitedMs }) => ({
      upstream,
      upstreamModel,
      outcome,
      status,
      startedAt: new Date(call.startedAt.getTime() + startMs),
      ms,
      ...(waitedMs !== undefined && { waitedMs }),
    })),
  };
}
