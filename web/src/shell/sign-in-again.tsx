import { useFocusReturn } from '@mantine/hooks';
import { lazy, Suspense, useEffect, useState } from 'react';
import { settleExpiry, watchExpiry } from '../api/session-expiry';

const load = () => import('./sign-in-again-dialog').then((module) => ({ default: module.SignInAgainDialog }));
const SignInAgainDialog = lazy(load);

/** With these somebody begins to do something on a page. */
const FIRST_DEEDS = ['pointerdown', 'keydown'] as const;

/** Asks for the password again when the session has ended, above the page and without a loss of what is on it. */
export function SignInAgain() {
  const [isOpen, setOpen] = useState(false);
  useFocusReturn({ opened: isOpen });
  useEffect(() => {
    // Fetched as soon as there is something that could be lost: when it is needed, the gateway may hold another build.
    const fetchIt = () => void load().catch(() => undefined);
    for (const event of FIRST_DEEDS) window.addEventListener(event, fetchIt, { once: true, passive: true });
    const stopWatching = watchExpiry(() => setOpen(true));
    return () => {
      for (const event of FIRST_DEEDS) window.removeEventListener(event, fetchIt);
      stopWatching();
    };
  }, []);
  const close = (isSignedIn: boolean) => {
    setOpen(false);
    settleExpiry(isSignedIn);
  };
  return isOpen ? (
    <Suspense fallback={null}>
      <SignInAgainDialog onClose={close} />
    </Suspense>
  ) : null;
}
