import { api, unwrap } from '../api/client';
import { forgetTab } from '../kit/tab-memory';

/** Ends the session and reloads the page, so that nothing stays in memory. */
export async function signOut(): Promise<void> {
  await unwrap(api.DELETE('/api/session')).catch(() => undefined);
  forgetTab();
  window.location.assign('/login');
}
