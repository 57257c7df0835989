/** So much of a limit is shared evenly, so that a process that was idle can begin at once. */
const EVEN = 0.1;
/** Calls a second: below it nobody asks for anything. */
const NOTHING = 0.01;

/** The part of a limit that a process has by what it and the others ask for. All parts make up 1. */
export function shareOfDemand(own: number, others: number, otherProcesses: number): number {
  const even = 1 / (otherProcesses + 1);
  const all = own + others;
  return all < NOTHING ? even : EVEN * even + (1 - EVEN) * (own / all);
}
