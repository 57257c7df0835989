import type { Report, Wish } from '../wish.js';

/** Tokens of a prompt; those of the cache are parts of the whole. */
export interface PromptTokens {
  readonly total: number;
  readonly cached: number;
  readonly written5m: number;
  readonly written1h: number;
}

/** A count that was told to the gateway, whether it is true or not. */
export interface ToldTokens {
  prompt: number | null;
  output: number | null;
}

/** `left`: the connection was closed before the answer's end; `failed`: the upstream broke it; `refused`: 503. */
export type Ending = 'delivered' | 'left' | 'failed' | 'refused';

/** One attempt that came to the upstream, as its provider bills it. */
export interface BilledAttempt {
  readonly id: string;
  readonly upstream: string;
  readonly model: string;
  readonly tier: string | null;
  readonly report: Report;
  ending: Ending | 'open';
  /** Something of the answer went out. */
  hasBegun: boolean;
  prompt: PromptTokens;
  /** What was generated until its end. */
  output: number;
  told: ToldTokens;
}

/** What the provider writes down of all that it is asked. */
export class Bill {
  readonly attempts: BilledAttempt[] = [];
  private readonly asked = new Map<string, number>();

  /** An attempt that begins; `nth`: how many came before it for the same request. */
  begin(wish: Wish, upstream: string, model: string, tier: unknown, prompt: PromptTokens) {
    const nth = this.asked.get(wish.id) ?? 0;
    this.asked.set(wish.id, nth + 1);
    const attempt: BilledAttempt = {
      id: wish.id,
      upstream,
      model,
      tier: typeof tier === 'string' ? tier : null,
      report: wish.report,
      ending: 'open',
      hasBegun: false,
      prompt,
      output: 0,
      told: { prompt: null, output: null },
    };
    this.attempts.push(attempt);
    return { attempt, nth };
  }
}
