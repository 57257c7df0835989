import type { Logger } from '@nestjs/common';
import { isDatabaseAway } from '../common/database-away.js';

const PAUSE_MS = 1000;
const MOST_CAUSES = 100;

interface Told {
  at: number;
  /** Failures since then that no line tells of. */
  untold: number;
}

/** By cause; of the whole process, as an outage is. */
const told = new Map<string, Told>();

/**
 * Logs that something failed, and of one cause a line a second at most, whoever meets it: while the database is away all
 * fails for that one reason. The next line tells how often it was met in between.
 */
export function logFailure(logger: Logger, what: string, error: unknown, fields: Record<string, unknown> = {}): void {
  const isAway = isDatabaseAway(error);
  const reason = reasonOf(error);
  const untold = untoldSince(isAway ? 'the database is away' : `${what} ${reason}`);
  if (untold === null) return;
  const details = { ...fields, ...(untold > 0 && { untold }) };
  if (isAway) logger.warn(`${what}: the database is away (${reason}).`, details);
  else logger.error(`${what}: ${reason}`, { ...details, ...(error instanceof Error && { stack: error.stack }) });
}

/** How many went untold since the last line; null when this one does too. */
function untoldSince(cause: string): number | null {
  const now = performance.now();
  const last = told.get(cause);
  if (last && now - last.at < PAUSE_MS) {
    last.untold++;
    return null;
  }
  if (told.size >= MOST_CAUSES) told.clear();
  told.set(cause, { at: now, untold: 0 });
  return last?.untold ?? 0;
}

/** `AggregateError`s of a refused connection have no message of their own. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'a value that is not an Error was thrown';
  return error.message || (error as NodeJS.ErrnoException).code || error.name;
}
