import { Controller, Get, Header, Param, UseGuards, UseInterceptors } from '@nestjs/common';
import { BearerGuard, CurrentCaller } from '../../auth/bearer.guard.js';
import type { Caller } from '../../auth/caller.types.js';
import { toUsd } from '../../common/text.js';
import { FairTurnsInterceptor } from '../../http/fair-turns.interceptor.js';
import type { UsageCallDetail } from '../../usage/usage.types.js';
import { UsageCallsService } from '../../usage/usage-calls.service.js';

/** `GET /v1/requests/{id}`: the record of a call for its owner, by request id or the id of its answer. */
@Controller(['v1/requests', 'openai/v1/requests'])
@UseGuards(BearerGuard)
@UseInterceptors(FairTurnsInterceptor)
export class RequestsController {
  constructor(private readonly calls: UsageCallsService) {}

  @Get(':id')
  @Header('cache-control', 'private, no-store')
  async get(@CurrentCaller() { userId }: Caller, @Param('id') id: string) {
    return toExplanation(await this.calls.get(id, [userId]));
  }
}

/** The record of a call for its caller. Contains no text of the request or the answer. */
function toExplanation(call: UsageCallDetail) {
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
