import type { SessionView } from './session';

type SessionLifetime = SessionView['lasting'];

/** The gateway stores the last use of a session this precisely. */
const PRECISION_MS = 60_000;
const WARN_MS = 120_000;

export interface SessionEnd {
  leftMs: number;
  /** How long before the end of a session the person is warned. */
  warnMs: number;
  /** Whether the session cannot be extended because it has reached its maximum duration. */
  isFinal: boolean;
}

/** When the session ends. `readAt`: when `lasting` was read; `usedAt`: the last request. Milliseconds since 1970. */
export function sessionEnd(
  lasting: NonNullable<SessionLifetime>,
  { readAt, usedAt, now }: Record<'readAt' | 'usedAt' | 'now', number>,
): SessionEnd {
  const idleMs = lasting.idleSeconds * 1000;
  const idleEnd = usedAt + idleMs - Math.min(PRECISION_MS, idleMs / 2);
  const finalEnd = readAt + lasting.endsInSeconds * 1000;
  const isFinal = finalEnd <= idleEnd;
  return { leftMs: Math.min(finalEnd, idleEnd) - now, warnMs: Math.min(WARN_MS, idleMs / 4), isFinal };
}
