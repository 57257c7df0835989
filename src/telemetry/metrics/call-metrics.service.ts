import { Injectable } from '@nestjs/common';
import { CallCounters } from './call-counters.js';
import type { EndedCall } from './ended-call.types.js';
import { MetricsService } from './metrics.service.js';
import { TalliedHistogram } from './tallied-histogram.js';

/** From a fast upstream nearby to the longest reasoning. */
const CALL_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600];
const PIECE_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Counts the calls and takes their times. Labels are ids of the catalog, names of upstreams.yaml and the gateway's own words. */
@Injectable()
export class CallMetricsService {
  private readonly counters: CallCounters;
  private readonly total: TalliedHistogram;
  private readonly firstToken: TalliedHistogram;
  private readonly interToken: TalliedHistogram;
  private readonly head: TalliedHistogram;

  constructor({ registry }: MetricsService) {
    const seconds = (name: string, help: string, bounds: readonly number[]) =>
      new TalliedHistogram(registry, `gateway_${name}_seconds`, help, bounds);
    this.counters = new CallCounters(registry);
    this.total = seconds('call', 'From the admission of a call to its end.', CALL_SECONDS);
    this.firstToken = seconds('first_token', 'From the admission of a call to the first of its answer.', CALL_SECONDS);
    this.interToken = seconds('inter_token', 'Between two pieces of a stream from the upstream.', PIECE_SECONDS);
    this.head = seconds('head', "From an attempt's beginning to the head of the upstream's answer.", CALL_SECONDS);
  }

  ended(call: EndedCall): void {
    this.counters.add(call);
    this.total.tally(call.totalMs / 1000);
    if (call.firstTokenMs !== null) this.firstToken.tally(call.firstTokenMs / 1000);
  }

  /** A piece of a stream came so long after the one before it. */
  pieceCame(ms: number): void {
    this.interToken.tally(ms / 1000);
  }

  /** The head of an upstream's answer came so long after the attempt's beginning. */
  headCame(ms: number): void {
    this.head.tally(ms / 1000);
  }
}
