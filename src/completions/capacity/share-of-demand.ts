/** The fraction of a limit that is split evenly, so that an idle process can start immediately. */
const EVEN = 0.1;
/** Calls per second that count as no demand. */
const NO_DEMAND = 0.01;

/** The fraction of a limit for this process, from its own demand and the others'. The fractions of all add up to 1. */
export function shareOfDemand(own: number, others: number, otherProcesses: number): number {
  const even = 1 / (otherProcesses + 1);
  const all = own + others;
  return all < NO_DEMAND ? even : EVEN * even + (1 - EVEN) * (own / all);
}
