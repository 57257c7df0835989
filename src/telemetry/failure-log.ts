import type { Logger } from '@nestjs/common';
import { isDatabaseUnavailable } from '../common/gateway.error.js';

const PAUSE_MS = 1000;
const MAX_CAUSES = 100;

interface LoggedFailure {
  at: number;
  /** Failures since then that were not logged. */
  suppressed: number;
}

const logged = new Map<string, LoggedFailure>();

/**
 * Logs a failure, at most one line per second and cause: while the database is unavailable, many operations fail for
 * that reason. The next line has the number of failures in between, as `suppressed`.
 */
export function logFailure(logger: Logger, what: string, error: unknown, fields: Record<string, unknown> = {}): void {
  const isUnavailable = isDatabaseUnavailable(error);
  const reason = reasonOf(error);
  const suppressed = suppressedSince(isUnavailable ? 'the database is unavailable' : `${what} ${reason}`);
  if (suppressed === null) return;
  const details = { ...fields, ...(suppressed > 0 && { suppressed }) };
  if (isUnavailable) logger.warn(`${what}: the database is unavailable (${reason}).`, details);
  else logger.error(`${what}: ${reason}`, { ...details, ...(error instanceof Error && { stack: error.stack }) });
}

/** The number of unlogged failures since the last line; null when this one is not logged either. */
function suppressedSince(cause: string): number | null {
  const now = performance.now();
  const last = logged.get(cause);
  if (last && now - last.at < PAUSE_MS) {
    last.suppressed++;
    return null;
  }
  if (logged.size >= MAX_CAUSES) logged.clear();
  logged.set(cause, { at: now, suppressed: 0 });
  return last?.suppressed ?? 0;
}

/** `AggregateError`s of refused connections have no message. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'a value that is not an Error was thrown';
  return error.message || (error as NodeJS.ErrnoException).code || error.name;
}
