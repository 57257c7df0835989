import type { LiveTarget } from '../../upstreams/targets/target.types.js';
import type { FirstAnswerTimes } from './first-answer-times.js';

/** The share of calls and conversations that measure the other targets. */
const FINDING_OUT = 0.05;
/** Targets within 10 % of each other count as equally fast, so that noise does not move conversations. */
const AS_FAST = 1.1;
/** Higher than any priority. */
const NEXT_GROUP = 10_000;

export interface Placed {
  readonly target: LiveTarget;
  /** The lowest is tried first. */
  place: number;
}

/**
 * Orders targets by the recent median time to their first answer, and equally fast ones by priority. Targets without
 * measurements count as fast. `drawn`: between 0 and 1.
 */
export function placeFastestFirst(
  candidates: readonly Placed[],
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
    candidate.place = group * NEXT_GROUP + candidate.target.priority;
  }
  if (drawn < FINDING_OUT) placeOthersFirst(candidates);
}

function placeOthersFirst(candidates: readonly Placed[]): void {
  const usual = Math.min(...candidates.map(({ place }) => place));
  for (const candidate of candidates) candidate.place = candidate.place === usual ? NEXT_GROUP : 0;
}
