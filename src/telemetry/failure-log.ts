import type { Logger } from '@nestjs/common';
import { isDatabaseUnavailable } from '../common/database-unavailable.js';

const PAUSE_MS = 1000;
const MAX_CAUSES = 100;

interface LoggedFailure {
  at: number;
  /** Failures since then that were not logged. */
  untold: number;
}

const logged = new Map<string, LoggedFailure>();

/**
 * Logs a failure, at most one line per second and cause: while the database is unavailable, everything fails for that
 * reason. The next line has the number of failures in between, as `untold`.
 */
export function logFailure(logger: Logger, what: string, error: unknown, fields: Record<string, unknown> = {}): void {
  const isUnavailable = isDatabaseUnavailable(error);
  const reason = reasonOf(error);
  const untold = untoldSince(isUnavailable ? 'the database is unavailable' : `${what} ${reason}`);
  if (untold === null) return;
  const details = { ...fields, ...(untold > 0 && { untold }) };
  if (isUnavailable) logger.warn(`${what}: the database is unavailable (${reason}).`, details);
  else logger.error(`${what}: ${reason}`, { ...details, ...(error instanceof Error && { stack: error.stack }) });
}

/** The number of unlogged failures since the last line; null when this one is not logged either. */
function untoldSince(cause: string): number | null {
  const now = performance.now();
  const last = logged.get(cause);
  if (last && now - last.at < PAUSE_MS) {
    last.untold++;
    return null;
  }
  if (logged.size >= MAX_CAUSES) logged.clear();
  logged.set(cause, { at: now, untold: 0 });
  return last?.untold ?? 0;
}

/** `AggregateError`s of refused connections have no message. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'a value that is not an Error was thrown';
  return error.message || (error as NodeJS.ErrnoException).code || error.name;
}
