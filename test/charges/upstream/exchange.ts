import type { ServerResponse } from 'node:http';
import type { AnswerScript } from '../answer-script.js';
import type { BilledAttempt, PromptTokens } from './bill.js';
import type { Generation } from './generation.js';
import type { CountTokens } from './tokenizer.js';

/** One attempt that is being answered. */
export interface Exchange {
  readonly script: AnswerScript;
  readonly attempt: BilledAttempt;
  readonly generation: Generation;
  readonly response: ServerResponse;
  readonly isStreamed: boolean;
  readonly waitMs: number;
  readonly count: CountTokens;
}

/** More than any current context, and less than the largest safe integer. */
const HUGE = 9_000_000_000_000_000;
const NEGATIVE = -5;
const TIMES_LIMIT = 8;
const TIMES_ACTUAL = 2;

/** The output tokens that it reports; null: none. Records what was reported. */
export function reportedOutput({ script, attempt, generation }: Exchange, actual: number): number | null {
  const { limit } = generation;
  const reported = {
    true: actual,
    each: actual,
    none: null,
    over: limit === null ? actual * TIMES_ACTUAL : limit * TIMES_LIMIT,
    huge: HUGE,
    negative: NEGATIVE,
    zero: 0,
  }[script.report];
  attempt.reported.output = reported;
  return reported;
}

/** The same for the prompt. */
export function reportedPrompt({ script, attempt }: Exchange): number | null {
  const reported = script.report === 'none' ? null : script.report === 'zero' ? 0 : attempt.prompt.total;
  attempt.reported.prompt = reported;
  return reported;
}

/** The parts of the prompt, if its report is correct. */
export function reportedParts({ script, attempt }: Exchange): Pick<PromptTokens, 'cached' | 'written'> {
  return script.report === 'zero' ? { cached: 0, written: {} } : attempt.prompt;
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
