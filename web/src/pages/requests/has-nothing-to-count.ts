import type { Call } from './requests-queries';

/** Whether the call failed before anything was generated or charged. */
export function hasNothingToCount({
  status,
  costUsd,
  inputTokens,
  outputTokens,
}: Pick<Call, 'status' | 'costUsd' | 'inputTokens' | 'outputTokens'>): boolean {
  return status !== 'open' && status !== 'settled' && costUsd === 0 && inputTokens === 0 && outputTokens === 0;
}
