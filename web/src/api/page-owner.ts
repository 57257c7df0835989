/** The page's user in every request, so that the gateway answers nobody else's page. */
export const OWNER_HEADER = 'x-console-user';

const CHANNEL = 'gateway-session';

let ownerId: string | null = null;
let isForeign = false;
let onForeign: ((email: string) => void) | undefined;
const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel(CHANNEL);

export function pageOwner(): string | null {
  return ownerId;
}

/** The page shows the data of this user from now on; other tabs check theirs. False if it shows another user's. */
export function ownPage(userId: string): boolean {
  if (ownerId !== null && ownerId !== userId) return false;
  if (ownerId === null) channel?.postMessage(userId);
  ownerId = userId;
  return true;
}

/** Before the next user enters in this tab; nothing of the previous one is kept. */
export function disownPage(): void {
  ownerId = null;
}

/** Calls back once with the e-mail address of another user who has signed in elsewhere in this browser. */
export function watchOwner(listener: (email: string) => void): () => void {
  const check = () => void checkOwner();
  const checkIfSeen = () => document.visibilityState === 'visible' && check();
  onForeign = listener;
  channel?.addEventListener('message', check);
  document.addEventListener('visibilitychange', checkIfSeen);
  return () => {
    onForeign = undefined;
    channel?.removeEventListener('message', check);
    document.removeEventListener('visibilitychange', checkIfSeen);
  };
}

/** Asks who is signed in now. */
export async function checkOwner(): Promise<void> {
  if (isForeign || ownerId === null) return;
  const response = await fetch('/api/session').catch(() => null);
  const session = response?.ok ? await response.json().catch(() => null) : null;
  const user: { id: string; email: string } | null = session?.user ?? null;
  if (user === null || user.id === ownerId) return;
  isForeign = true;
  onForeign?.(user.email);
}

/** Never resolves once another user has signed in: this page gets nothing of theirs. */
export function whileOwned(): Promise<void> {
  return isForeign ? new Promise(() => undefined) : Promise.resolve();
}
