import { Injectable } from '@nestjs/common';
import { CallCounters } from './call-counters.js';
import { type EndedCall, upstreamLabel } from './ended-call.types.js';
import { MetricsService } from './metrics.service.js';
import { TalliedHistogram, type Times } from './tallied-histogram.js';

/** From a fast local upstream to the longest reasoning. */
const CALL_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600];
const PIECE_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

interface CallTimes {
  readonly total: Times;
  readonly firstToken: Times;
}

/**
 * Counts calls and measures their times. Labels are ids of the catalog, names from upstreams.yaml and terms of the
 * gateway.
 */
@Injectable()
export class CallMetricsService {
  private readonly counters: CallCounters;
  private readonly total: TalliedHistogram<'model' | 'upstream'>;
  private readonly firstToken: TalliedHistogram<'model' | 'upstream'>;
  private readonly head: TalliedHistogram<'upstream'>;
  private readonly interToken: Times;
  private readonly times = new Map<string, Map<string, CallTimes>>();
  private readonly heads = new Map<string, Times>();

  constructor({ registry }: MetricsService) {
    const seconds = <Label extends string = never>(name: string, help: string, bounds: readonly number[]) =>
      new TalliedHistogram<Label>(registry, name, help, bounds);
    this.counters = new CallCounters(registry);
    this.total = seconds('gateway_call_seconds', 'From the admission of a call to its end.', CALL_SECONDS);
    this.firstToken = seconds(
      'gateway_first_token_seconds',
      'From the admission of a call to the first token of its answer.',
      CALL_SECONDS,
    );
    this.interToken = seconds(
      'gateway_inter_token_seconds',
      'Between two chunks of a stream from the upstream.',
      PIECE_SECONDS,
    ).child({});
    this.head = seconds(
      'gateway_head_seconds',
      "From the start of an attempt to the head of the upstream's response.",
      CALL_SECONDS,
    );
  }

  ended(call: EndedCall): void {
    this.counters.add(call);
    const { total, firstToken } = this.timesOf(call.model, upstreamLabel(call));
    total.tally(call.totalMs / 1000);
    if (call.firstTokenMs !== null) firstToken.tally(call.firstTokenMs / 1000);
  }

  /** `ms` since the previous piece of the stream. */
  observePiece(ms: number): void {
    this.interToken.tally(ms / 1000);
  }

  /** `ms` since the start of the attempt. */
  observeHead(upstream: string, ms: number): void {
    const times = this.heads.get(upstream) ?? this.head.child({ upstream });
    this.heads.set(upstream, times);
    times.tally(ms / 1000);
  }

  private timesOf(model: string, upstream: string): CallTimes {
    const known = this.times.get(model)?.get(upstream);
    if (known) return known;
    const labels = { model, upstream };
    const times = { total: this.total.child(labels), firstToken: this.firstToken.child(labels) };
    this.times.set(model, (this.times.get(model) ?? new Map()).set(upstream, times));
    return times;
  }
}
