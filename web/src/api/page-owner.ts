/**
 * The header with the page's user, sent with every request: the gateway refuses requests of pages that were loaded for
 * another user.
 */
export const OWNER_HEADER = 'x-console-user';

const CHANNEL = 'gateway-session';

let ownerId: string | null = null;
let isOther = false;
export const ownerChannel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel(CHANNEL);

export function pageOwner(): string | null {
  return ownerId;
}

/**
 * Makes this user the page's user; other tabs then check theirs. False if the page already shows another user's data.
 */
export function ownPage(userId: string): boolean {
  if (ownerId !== null && ownerId !== userId) return false;
  if (ownerId === null) ownerChannel?.postMessage(userId);
  ownerId = userId;
  return true;
}

/** Call it before another user signs in in this tab. The caller removes the data of the previous user. */
export function clearPageOwner(): void {
  ownerId = null;
}

/** Never resolves after another user has signed in, so that this page does not get that user's data. */
export function whileOwned(): Promise<void> {
  return isOther ? new Promise(() => undefined) : Promise.resolve();
}

/** Makes `whileOwned` never resolve from now on. False if that was already the case. */
export function stopPage(): boolean {
  const isNew = !isOther;
  isOther = true;
  return isNew;
}
