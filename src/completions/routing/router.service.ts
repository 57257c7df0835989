import { Injectable } from '@nestjs/common';
import { ignoredHeaders } from '../../upstreams/refused-fields.js';
import { SimulatorService } from '../../upstreams/simulator.service.js';
import type { CompletionCall } from '../completion.call.js';
import { RetryLoop } from './retry-loop.js';
import { RetryParts } from './retry-parts.js';
import { attemptHeaders, type RoutedAnswer, type RouteTerms } from './routed-answer.js';

const SIMULATED_UNREAD_LIMIT_MS = 60_000;

@Injectable()
export class RouterService {
  constructor(
    private readonly parts: RetryParts,
    private readonly simulator: SimulatorService,
  ) {}

  /** Sends nothing until the answer is subscribed to. */
  route(call: CompletionCall, terms: RouteTerms): RoutedAnswer {
    return call.model.simulated ? this.simulated(call) : new RetryLoop(call, terms, this.parts);
  }

  private simulated(call: CompletionCall): RoutedAnswer {
    const [{ request, native, ignored } = { request: call.request, native: null, ignored: [] }] = call.servable;
    const { id, startedAt, model } = call;
    return {
      ...this.simulator.answer({
        id,
        startedAt,
        modelName: call.nameOf(model),
        dimensions: model.dimensions,
        request,
        native,
      }),
      headers: { ...attemptHeaders(0), ...ignoredHeaders(ignored) },
      attempts: [],
      served: { model, attempt: null, isAnswered: true, reported: null },
      unreadLimit: SIMULATED_UNREAD_LIMIT_MS,
      sent: {
        model,
        sentMs: performance.now(),
        whenCallerLeaves: 'stop',
        isNative: false,
        leftOut: ignored,
        pausedMs: () => 0,
        usageSoFar: () => undefined,
        unread: () => '',
        hostedCalls: () => null,
        rereadsPrompt: false,
      },
      unusable: [],
      stopTrying: () => undefined,
    };
  }
}
