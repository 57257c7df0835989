import { isObject, type JsonObject, listOf, objectOf } from '../../contract/json.js';

/** Null if there are none. */
export function logprobsOf(result: unknown): JsonObject | null {
  if (!isObject(result) || !Array.isArray(result.chosenCandidates)) return null;
  const tops = listOf(result.topCandidates);
  const content = result.chosenCandidates.flatMap((chosen, position) => {
    const token = tokenOf(chosen);
    const alternatives = listOf(objectOf(tops[position]).candidates).flatMap((one) => tokenOf(one) ?? []);
    return token ? [{ ...token, top_logprobs: alternatives }] : [];
  });
  return { content, refusal: null };
}

function tokenOf(candidate: unknown): JsonObject | undefined {
  if (!isObject(candidate) || typeof candidate.token !== 'string') return undefined;
  const { token, logProbability = 0 } = candidate;
  return typeof logProbability === 'number' ? { token, logprob: logProbability, bytes: null } : undefined;
}
