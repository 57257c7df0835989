import type { CallConditions, UsageCall } from '../reports/usage-call.types.js';

const NANODOLLARS = 1e9;

export function isConditional(where: CallConditions | undefined): where is CallConditions {
  return where !== undefined && Object.values(where).some((value) => value !== undefined);
}

/** Whether a call meets all of the conditions. Running calls have neither cost nor duration yet. */
export function meets(call: UsageCall, { stream, simulated, minCostUsd, minMs }: CallConditions): boolean {
  return (
    (stream === undefined || call.stream === stream) &&
    (simulated === undefined || call.simulated === simulated) &&
    (minCostUsd === undefined || Number(call.costNanodollars) >= minCostUsd * NANODOLLARS) &&
    (minMs === undefined || (call.totalMs ?? -1) >= minMs)
  );
}
