/**
 * The header with the page's user, sent with every request: the gateway refuses requests of pages that were loaded for
 * another user.
 */
export const OWNER_HEADER = 'x-console-user';

const CHANNEL = 'gateway-session';

let ownerId: string | null = null;
let isOther = false;
let channel: BroadcastChannel | null = null;

/** Opened when it is first needed; in Node, an open channel would keep the process alive. */
function ownerChannel(): BroadcastChannel | null {
  if (typeof BroadcastChannel !== 'undefined') channel ??= new BroadcastChannel(CHANNEL);
  return channel;
}

export function pageOwner(): string | null {
  return ownerId;
}

/**
 * Makes this user the page's user; other tabs then check theirs. False if the page already shows another user's data.
 */
export function ownPage(userId: string): boolean {
  if (ownerId !== null && ownerId !== userId) return false;
  if (ownerId === null) ownerChannel()?.postMessage(userId);
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
function stopPage(): boolean {
  const isNew = !isOther;
  isOther = true;
  return isNew;
}

let onForeign: ((email: string) => void) | undefined;
let foreignEmail: string | null = null;

/** Calls back once with the e-mail address of another user who has signed in elsewhere in this browser. */
export function watchOwner(listener: (email: string) => void): () => void {
  const check = () => void askOwner();
  const checkIfSeen = () => document.visibilityState === 'visible' && check();
  onForeign = listener;
  if (foreignEmail !== null) listener(foreignEmail);
  ownerChannel()?.addEventListener('message', check);
  document.addEventListener('visibilitychange', checkIfSeen);
  return () => {
    onForeign = undefined;
    ownerChannel()?.removeEventListener('message', check);
    document.removeEventListener('visibilitychange', checkIfSeen);
  };
}

/** Asks who is signed in now. */
export async function askOwner(): Promise<void> {
  const ownerId = pageOwner();
  if (ownerId === null) return;
  const response = await fetch('/api/session').catch(() => null);
  const session = response?.ok ? await response.json().catch(() => null) : null;
  const user: { id: string; email: string } | null = session?.user ?? null;
  if (user === null || user.id === ownerId) return;
  if (!stopPage()) return;
  foreignEmail = user.email;
  onForeign?.(user.email);
}
