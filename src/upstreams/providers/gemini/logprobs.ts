import { isObject, type JsonObject } from '../../contract/json.js';

/** Null if there are none. */
export function logprobsOf(result: unknown): JsonObject | null {
  if (!isObject(result) || !Array.isArray(result.chosenCandidates)) return null;
  const tops: unknown[] = Array.isArray(result.topCandidates) ? result.topCandidates : [];
  const content = result.chosenCandidates.flatMap((chosen, position) => {
    const token = tokenOf(chosen);
    return token ? [{ ...token, top_logprobs: alternatives(tops[position]) }] : [];
  });
  return { content, refusal: null };
}

function alternatives(top: unknown): JsonObject[] {
  if (!isObject(top) || !Array.isArray(top.candidates)) return [];
  return top.candidates.map(tokenOf).filter((token) => token !== undefined);
}

function tokenOf(candidate: unknown): JsonObject | undefined {
  if (!isObject(candidate) || typeof candidate.token !== 'string') return undefined;
  const { token, logProbability = 0 } = candidate;
  return typeof logProbability === 'number' ? { token, logprob: logProbability, bytes: null } : undefined;
}
