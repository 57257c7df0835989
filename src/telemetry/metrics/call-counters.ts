import type { Registry } from 'prom-client';
import { type EndedCall, eachUncharged, type UnchargedReason, upstreamLabel } from './ended-call.types.js';
import { TalliedCounter, Tally } from './tallied-counter.js';

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
    const asked = upstreamLabel(call);
    const known = calls.get(asked);
    const tallies = known ?? this.addUpstream(model, asked);
    if (!known) calls.set(asked, tallies);
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
