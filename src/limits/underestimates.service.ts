import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Subject } from 'rxjs';
import type { ClosedCall, ReservationFactors } from '../ledger/call-record.types.js';
import type { Model } from '../models/model.types.js';

const MAX = 10_000;
const HOUR_MS = 3_600_000;
const MAX_FACTOR = 1000;
const NONE: ReservationFactors = { prompt: 1, output: 1 };
/** Prices are nano-dollars per million tokens. */
const MILLION = 1_000_000;

export interface Underestimate extends ReservationFactors {
  readonly userId: string;
  readonly model: string;
}

/**
 * How far reservations for a user's calls to a model were too low, for an hour: a wrong estimate costs one call, as the
 * next ones reserve more. Other processes are told.
 */
@Injectable()
export class UnderestimatesService {
  readonly learned = new Subject<Underestimate>();
  private readonly factors = new LRUCache<string, ReservationFactors>({ max: MAX, ttl: HOUR_MS });

  /** A call that cost more than these nano-dollars. */
  note({ userId, model, costNanodollars, tokens, admissionRequest }: ClosedCall, reserved: bigint): void {
    const money = admissionRequest?.money;
    if (!money) return;
    const { promptPrice, tokenPrice, choices, factors } = money;
    const ceiling = Number(reserved * BigInt(MILLION) - promptPrice) / Number(tokenPrice);
    const output = tokens.output / choices / ceiling;
    const outputCost = (tokens.output * Number(tokenPrice)) / (choices * factors.output);
    const prompt = (Number(costNanodollars) * MILLION - outputCost) / Number(promptPrice);
    const seen = { prompt: bounded(factors.prompt * prompt), output: bounded(output) };
    if (seen.prompt === 1 && seen.output === 1) return;
    this.takeOver({ userId, model, ...seen });
    this.learned.next({ userId, model, ...seen });
  }

  takeOver({ userId, model, ...seen }: Underestimate): void {
    const key = keyOf(userId, model);
    this.factors.set(key, higher(this.factors.get(key) ?? NONE, seen));
  }

  factorsOf(userId: string, models: readonly Pick<Model, 'id'>[]): ReservationFactors {
    if (this.factors.size === 0) return NONE;
    return models.map(({ id }) => this.factors.get(keyOf(userId, id)) ?? NONE).reduce(higher, NONE);
  }
}

/** A prompt that reserved nothing has no factor. */
function bounded(factor: number): number {
  return Number.isFinite(factor) ? Math.min(Math.max(factor, 1), MAX_FACTOR) : 1;
}

function higher(one: ReservationFactors, other: ReservationFactors): ReservationFactors {
  return { prompt: Math.max(one.prompt, other.prompt), output: Math.max(one.output, other.output) };
}

function keyOf(userId: string, model: string): string {
  return `${userId} ${model}`;
}
