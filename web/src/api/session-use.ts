const NAME = 'gateway-session-used';
/** How often other tabs are notified. */
const TELL_MS = 10_000;

let usedAt = Date.now();
let toldAt = 0;

/** Records for all tabs that a request has extended the session. */
export function recordSessionUse(): void {
  usedAt = Date.now();
  if (usedAt - toldAt < TELL_MS) return;
  toldAt = usedAt;
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
