import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Subject } from 'rxjs';
import type { ClosedCall } from '../ledger/call-record.types.js';
import type { Model } from '../models/model.types.js';

const MAX = 10_000;
const HOUR_MS = 3_600_000;
const MAX_FACTOR = 1000;
/** Prices are nano-dollars per million tokens. */
const MILLION = 1_000_000;

/** By how much a user's calls to a model cost more than was reserved, in proportion to what was for their prompts. */
export interface Underestimate {
  readonly userId: string;
  readonly model: string;
  readonly factor: number;
}

/**
 * By how much the reservations for the prompts of a user's calls to a model were too low, for an hour: a wrong estimate
 * costs one call, as the next ones reserve more. Other processes are told.
 */
@Injectable()
export class UnderestimatesService {
  readonly learned = new Subject<Underestimate>();
  private readonly factors = new LRUCache<string, number>({ max: MAX, ttl: HOUR_MS });

  /** A call that cost more than was reserved. */
  note({ userId, model, costNanodollars, tokens, admissionRequest }: ClosedCall): void {
    const { promptPrice = 0n, tokenPrice = 0n, choices = 1, ceiling = 0 } = admissionRequest?.money ?? {};
    if (promptPrice === 0n) return;
    // Output above its limit counts for the prompt, so that the next calls reserve it, too.
    const perChoice = Math.min(tokens.output / choices, ceiling);
    const forPrompt = Number(costNanodollars) - (perChoice * Number(tokenPrice)) / MILLION;
    const seen = forPrompt / (Number(promptPrice) / MILLION);
    if (seen <= 1) return;
    const factor = Math.min((this.factors.get(keyOf(userId, model)) ?? 1) * seen, MAX_FACTOR);
    this.takeOver({ userId, model, factor });
    this.learned.next({ userId, model, factor });
  }

  takeOver({ userId, model, factor }: Underestimate): void {
    const key = keyOf(userId, model);
    if (factor >= (this.factors.get(key) ?? 1)) this.factors.set(key, Math.min(factor, MAX_FACTOR));
  }

  /** 1 or more. */
  factorOf(userId: string, models: readonly Pick<Model, 'id'>[]): number {
    if (this.factors.size === 0) return 1;
    return Math.max(1, ...models.map(({ id }) => this.factors.get(keyOf(userId, id)) ?? 1));
  }
}

function keyOf(userId: string, model: string): string {
  return `${userId} ${model}`;
}
