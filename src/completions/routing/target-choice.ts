import type { Affinity } from '../affinity/affinity.js';
import type { Candidate } from './candidate.js';

/**
 * Chooses among the eligible candidates of the lowest rank: the conversation's target, else the less busy of two that
 * are picked at random by weight. Null: none is eligible.
 */
export function choose(
  candidates: readonly Candidate[],
  eligible: (one: Candidate) => boolean,
  affinity: Affinity,
): Candidate | null {
  let first: Candidate | null = null;
  let equals: Candidate[] | null = null;
  for (const candidate of candidates) {
    if (!eligible(candidate)) continue;
    if (first === null || candidate.rank < first.rank) {
      first = candidate;
      equals = null;
    } else if (candidate.rank === first.rank) {
      equals ??= [first];
      equals.push(candidate);
    }
  }
  if (equals === null) return first;
  return affinity.among(equals) ?? lessBusy(byWeight(equals), byWeight(equals));
}

function lessBusy(one: Candidate | null, other: Candidate | null): Candidate | null {
  return one && other && other.load < one.load ? other : one;
}

function byWeight(candidates: readonly Candidate[]): Candidate | null {
  const sum = candidates.reduce((total, { target }) => total + target.weight, 0);
  let left = Math.random() * sum;
  for (const candidate of candidates) {
    left -= candidate.target.weight;
    if (left < 0) return candidate;
  }
  return candidates.at(-1) ?? null;
}
