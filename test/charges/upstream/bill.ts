import type { AnswerScript, Report } from '../answer-script.js';
import type { Lifetime } from '../catalog.js';

/** Tokens of a prompt; cached ones are included in the total. */
export interface PromptTokens {
  readonly total: number;
  readonly cached: number;
  /** Written to the cache. */
  readonly written: Readonly<Partial<Record<Lifetime, number>>>;
}

/** The counts that were reported to the gateway, correct or not. */
export interface ReportedTokens {
  prompt: number | null;
  output: number | null;
}

/** `left`: the connection was closed before the answer's end; `failed`: the upstream broke it; `refused`: 503. */
export type Ending = 'delivered' | 'left' | 'failed' | 'refused';

/** One attempt at the upstream, as its provider bills it. */
export interface BilledAttempt {
  readonly id: string;
  readonly upstream: string;
  readonly model: string;
  readonly tier: string | null;
  readonly report: Report;
  readonly searches: number;
  ending: Ending | 'open';
  /** Whether a part of the answer was sent. */
  hasBegun: boolean;
  prompt: PromptTokens;
  /** The tokens that were generated until its end. */
  output: number;
  reported: ReportedTokens;
}

/** The provider's record of all attempts. */
export class Bill {
  readonly attempts: BilledAttempt[] = [];
  private readonly requested = new Map<string, number>();

  /** Records a new attempt; `nth`: the number of earlier attempts for the same request. */
  begin(script: AnswerScript, upstream: string, model: string, tier: unknown, prompt: PromptTokens) {
    const nth = this.requested.get(script.id) ?? 0;
    this.requested.set(script.id, nth + 1);
    const attempt: BilledAttempt = {
      id: script.id,
      upstream,
      model,
      tier: script.servedTier ?? (typeof tier === 'string' ? tier : null),
      report: script.report,
      searches: script.searches,
      ending: 'open',
      hasBegun: false,
      prompt,
      output: 0,
      reported: { prompt: null, output: null },
    };
    this.attempts.push(attempt);
    return { attempt, nth };
  }
}
