import { ownerChannel, pageOwner, stopPage } from './page-owner';

let onForeign: ((email: string) => void) | undefined;
let foreignEmail: string | null = null;

/** Calls back once with the e-mail address of another user who has signed in elsewhere in this browser. */
export function watchOwner(listener: (email: string) => void): () => void {
  const check = () => void askOwner();
  const checkIfSeen = () => document.visibilityState === 'visible' && check();
  onForeign = listener;
  if (foreignEmail !== null) listener(foreignEmail);
  ownerChannel?.addEventListener('message', check);
  document.addEventListener('visibilitychange', checkIfSeen);
  return () => {
    onForeign = undefined;
    ownerChannel?.removeEventListener('message', check);
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
