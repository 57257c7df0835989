import type { Candidate } from './candidate.js';
import type { FirstAnswerTimes } from './first-answer-times.js';

/** The share of calls and conversations that measure the other targets. */
const FINDING_OUT = 0.05;
/** Targets within 10 % of each other count as equally fast, so that noise does not move conversations. */
const AS_FAST = 1.1;
/** Higher than any priority. */
const NEXT_GROUP = 10_000;

export type Ordered = Pick<Candidate, 'target' | 'position'>;

/**
 * Orders targets by the recent median time to their first answer, and equally fast targets by priority. Targets without
 * measurements count as fast. `drawn`: a random number between 0 and 1.
 */
export function orderFastestFirst(
  candidates: readonly Ordered[],
  times: FirstAnswerTimes,
  isStreamed: boolean,
  drawn: number,
): void {
  if (candidates.length < 2) return;
  const measured = candidates
    .map((candidate) => ({ candidate, ms: times.median(candidate.target, isStreamed) ?? 0 }))
    .sort((one, other) => one.ms - other.ms);
  let group = 0;
  let fastest = measured.find(({ ms }) => ms > 0)?.ms ?? 0;
  for (const { candidate, ms } of measured) {
    if (ms > fastest * AS_FAST) {
      group++;
      fastest = ms;
    }
    candidate.position = group * NEXT_GROUP + candidate.target.priority;
  }
  if (drawn < FINDING_OUT) orderOthersFirst(candidates);
}

function orderOthersFirst(candidates: readonly Ordered[]): void {
  const usual = Math.min(...candidates.map(({ position }) => position));
  for (const candidate of candidates) candidate.position = candidate.position === usual ? NEXT_GROUP : 0;
}
