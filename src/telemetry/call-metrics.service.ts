import { Injectable } from '@nestjs/common';
import type { Registry } from 'prom-client';
import { MetricsService } from './metrics.service.js';
import { TalliedCounter, TalliedHistogram, Tally, type Times } from './tallies.js';

const STATUSES = ['settled', 'failed', 'aborted'] as const;

interface ModelTallies {
  readonly input: Tally;
  readonly cached: Tally;
  readonly output: Tally;
  readonly reasoning: Tally;
  readonly cost: Tally;
  /** By upstream: one counter for each of `STATUSES`, first for other calls, then for streams. */
  readonly calls: Map<string, readonly Tally[]>;
}

export class CallCounters {
  private readonly calls: TalliedCounter<'model' | 'upstream' | 'status' | 'stream'>;
  private readonly tokens: TalliedCounter<'model' | 'kind'>;
  private readonly cost: TalliedCounter<'model'>;
  private readonly attempts: TalliedCounter<'upstream' | 'outcome'>;
  private readonly uncharged: Readonly<Record<UnchargedReason, Tally>>;
  private readonly models = new Map<string, ModelTallies>();
  private readonly outcomes = new Map<string, Map<string, Tally>>();

  constructor(registry: Registry) {
    const counter = <Label extends string>(name: string, help: string, labels: readonly Label[]) =>
      new TalliedCounter(registry, name, help, labels);
    this.calls = counter(
      'gateway_calls_total',
      'Calls that ended, by their status in the ledger: settled, failed or aborted.',
      ['model', 'upstream', 'status', 'stream'],
    );
    this.tokens = counter(
      'gateway_tokens_total',
      'Tokens of calls that ended; input includes cached, output includes reasoning.',
      ['model', 'kind'],
    );
    this.cost = counter('gateway_cost_nanodollars_total', 'Cost of calls that ended, in nano-dollars.', ['model']);
    this.attempts = counter(
      'gateway_attempts_total',
      'Attempts of calls that ended: ok, aborted, or the code of the error.',
      ['upstream', 'outcome'],
    );
    const uncharged = counter(
      'gateway_uncharged_nanodollars_total',
      'Estimated cost that upstreams may bill but no caller is charged for: attempts that lost to a hedge (outrun), attempts that failed (failed), and calls whose callers disconnected, beyond their reservation (left).',
      ['reason'],
    );
    this.uncharged = {
      outrun: uncharged.child({ reason: 'outrun' }),
      failed: uncharged.child({ reason: 'failed' }),
      left: uncharged.child({ reason: 'left' }),
    };
  }

  add(call: EndedCall): void {
    const model = this.models.get(call.model) ?? this.addModel(call.model);
    const { input, cached, output, reasoning } = call.tokens;
    model.input.value += input;
    model.cached.value += cached;
    model.output.value += output;
    model.reasoning.value += reasoning;
    model.cost.value += Number(call.costNanodollars);
    this.tallyOfCall(call, model).value++;
    for (const { upstream, outcome } of call.attempts) this.tallyOfAttempt(upstream, outcome).value++;
    eachUncharged(call, this.addUncharged);
  }

  private readonly addUncharged = (_: EndedCall, reason: UnchargedReason, nanodollars: number): void => {
    this.uncharged[reason].value += nanodollars;
  };

  private tallyOfCall(call: EndedCall, { calls }: ModelTallies): Tally {
    const { model, status, stream } = call;
    const requested = upstreamLabel(call);
    const known = calls.get(requested);
    const tallies = known ?? this.addUpstream(model, requested);
    if (!known) calls.set(requested, tallies);
    return tallies[STATUSES.indexOf(status) + (stream ? STATUSES.length : 0)] ?? new Tally();
  }

  private tallyOfAttempt(upstream: string, outcome: string): Tally {
    const outcomes = this.outcomes.get(upstream) ?? new Map<string, Tally>();
    const tally = outcomes.get(outcome) ?? this.attempts.child({ upstream, outcome });
    this.outcomes.set(upstream, outcomes.set(outcome, tally));
    return tally;
  }

  private addUpstream(model: string, upstream: string): Tally[] {
    return ['false', 'true'].flatMap((stream) =>
      STATUSES.map((status) => this.calls.child({ model, upstream, status, stream })),
    );
  }

  private addModel(model: string): ModelTallies {
    const tallies = {
      input: this.tokens.child({ model, kind: 'input' }),
      cached: this.tokens.child({ model, kind: 'cached' }),
      output: this.tokens.child({ model, kind: 'output' }),
      reasoning: this.tokens.child({ model, kind: 'reasoning' }),
      cost: this.cost.child({ model }),
      calls: new Map(),
    };
    this.models.set(model, tallies);
    return tallies;
  }
}

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

export interface EndedCall {
  readonly model: string;
  readonly upstream: string | null;
  readonly status: 'settled' | 'failed' | 'aborted';
  readonly stream: boolean;
  readonly simulated: boolean;
  readonly tokens: {
    readonly input: number;
    readonly cached: number;
    readonly output: number;
    readonly reasoning: number;
  };
  readonly costNanodollars: bigint;
  readonly attempts: readonly {
    readonly upstream: string;
    readonly outcome: string;
    /** What the upstream may bill although no caller is charged. */
    readonly estimatedCostNanodollars?: number;
  }[];
  /** `uncharged`: nano-dollars that the caller is not charged. */
  readonly charge: { readonly uncharged?: number } | null;
  readonly firstTokenMs: number | null;
  readonly totalMs: number;
}

function upstreamLabel({ upstream, simulated }: EndedCall): string {
  return upstream ?? (simulated ? 'simulator' : 'none');
}

/**
 * Why no caller is charged: another attempt answered first, the attempt failed, or an aborted call cost more than its
 * reservation.
 */
export type UnchargedReason = 'outrun' | 'failed' | 'left';

/** The estimated costs of a call that upstreams may bill but its caller is not charged. */
export function eachUncharged(
  call: EndedCall,
  add: (call: EndedCall, reason: UnchargedReason, nanodollars: number) => void,
): void {
  for (const { outcome, estimatedCostNanodollars: cost } of call.attempts) {
    if (cost) add(call, outcome === 'outrun' ? 'outrun' : 'failed', cost);
  }
  if (call.charge?.uncharged) add(call, 'left', call.charge.uncharged);
}
