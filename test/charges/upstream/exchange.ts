import type { ServerResponse } from 'node:http';
import type { Wish } from '../wish.js';
import type { BilledAttempt } from './bill.js';
import type { Generation } from './generation.js';
import type { CountTokens } from './tokenizer.js';

/** One attempt that is being answered. */
export interface Exchange {
  readonly wish: Wish;
  readonly attempt: BilledAttempt;
  readonly generation: Generation;
  readonly response: ServerResponse;
  readonly isStreamed: boolean;
  readonly waitMs: number;
  readonly count: CountTokens;
}

/** More than any context of today, and less than what is a whole number. */
const HUGE = 9_000_000_000_000_000;
const NEGATIVE = -5;
const TIMES_LIMIT = 8;
const TIMES_TRUTH = 2;

/** The output that it says it had; null: it says nothing. Notes what was told. */
export function toldOutput({ wish, attempt, generation }: Exchange, truth: number): number | null {
  const { limit } = generation;
  const told = {
    true: truth,
    each: truth,
    none: null,
    over: limit === null ? truth * TIMES_TRUTH : limit * TIMES_LIMIT,
    huge: HUGE,
    negative: NEGATIVE,
    zero: 0,
  }[wish.report];
  attempt.told.output = told;
  return told;
}

/** The same of the prompt. */
export function toldPrompt({ wish, attempt }: Exchange): number | null {
  const told = wish.report === 'none' ? null : wish.report === 'zero' ? 0 : attempt.prompt.total;
  attempt.told.prompt = told;
  return told;
}

/** Parts of the prompt, where what is told of it is true. */
export function toldParts({ wish, attempt }: Exchange): { cached: number; written5m: number; written1h: number } {
  return wish.report === 'zero' ? { cached: 0, written5m: 0, written1h: 0 } : attempt.prompt;
}

/** Breaks the connection in the middle of the answer. */
export function breakOff({ attempt, response }: Exchange): void {
  attempt.ending = 'failed';
  response.destroy();
}

export function send({ attempt, response }: Exchange, text: string): void {
  attempt.hasBegun = true;
  response.write(text);
}
