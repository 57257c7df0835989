import type { components } from './schema';

type Waiting = (isSignedIn: boolean) => void;

let waiting: Waiting[] = [];
let onExpiry: (() => void) | undefined;

/** Registers the dialog for signing in again; without it a 401 is an ordinary response. */
export function watchExpiry(listener: () => void): () => void {
  onExpiry = listener;
  return () => {
    if (onExpiry === listener) onExpiry = undefined;
    settleExpiry(false);
  };
}

/** True after the person has signed in again; false if they cancelled or were not signed in. */
export function signedInAgain(): Promise<boolean> {
  if (!onExpiry) return Promise.resolve(false);
  return new Promise((resolve) => {
    waiting.push(resolve);
    onExpiry?.();
  });
}

/** Releases all waiting requests. */
export function settleExpiry(isSignedIn: boolean): void {
  const settled = waiting;
  waiting = [];
  for (const go of settled) go(isSignedIn);
}

type SessionLifetime = components['schemas']['SessionView']['lasting'];

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

const NAME = 'gateway-session-used';
/** How often other tabs are notified. */
const TELL_MS = 10_000;

let usedAt = Date.now();
let reportedAt = 0;

/** Records for all tabs that a request has extended the session. */
export function recordSessionUse(): void {
  usedAt = Date.now();
  if (usedAt - reportedAt < TELL_MS) return;
  reportedAt = usedAt;
  try {
    localStorage.setItem(NAME, String(usedAt));
  } catch {
    // Without storage each tab only knows its own requests.
  }
}

/** When the session was last used in this browser, in milliseconds since 1970. */
export function sessionUsedAt(): number {
  return Math.max(usedAt, usedInOtherTab());
}

function usedInOtherTab(): number {
  try {
    return Number(localStorage.getItem(NAME) ?? 0);
  } catch {
    return 0;
  }
}
