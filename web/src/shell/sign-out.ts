import { api, unwrap } from '../api/client';
import { forgetTab } from '../kit/tab-memory';

/** Ends the session; the page is loaded anew, so that nothing of it stays in memory. */
export async function signOut(): Promise<void> {
  await unwrap(api.DELETE('/api/session')).catch(() => undefined);
  forgetTab();
  window.location.assign('/login');
}
