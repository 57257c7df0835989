/** The page's user in every request, so that the gateway answers nobody else's page. */
export const OWNER_HEADER = 'x-console-user';

const CHANNEL = 'gateway-session';

let ownerId: string | null = null;
let isForeign = false;
export const ownerChannel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel(CHANNEL);

export function pageOwner(): string | null {
  return ownerId;
}

/** The page shows the data of this user from now on; other tabs check theirs. False if it shows another user's. */
export function ownPage(userId: string): boolean {
  if (ownerId !== null && ownerId !== userId) return false;
  if (ownerId === null) ownerChannel?.postMessage(userId);
  ownerId = userId;
  return true;
}

/** Before the next user enters in this tab; nothing of the previous one is kept. */
export function disownPage(): void {
  ownerId = null;
}

/** Never resolves once another user has signed in: this page gets nothing of theirs. */
export function whileOwned(): Promise<void> {
  return isForeign ? new Promise(() => undefined) : Promise.resolve();
}

/** From now on `whileOwned` never resolves. False if it was so before. */
export function abandonPage(): boolean {
  const isNew = !isForeign;
  isForeign = true;
  return isNew;
}
