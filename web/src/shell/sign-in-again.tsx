import { useFocusReturn } from '@mantine/hooks';
import { lazy, Suspense, useEffect, useState } from 'react';
import { settleExpiry, watchExpiry } from '../api/session-expiry';

const load = () => import('./sign-in-again-dialog').then((module) => ({ default: module.SignInAgainDialog }));
const SignInAgainDialog = lazy(load);

/** Asks for the password again when the session has ended, above the page and without a loss of what is on it. */
export function SignInAgain() {
  const [isOpen, setOpen] = useState(false);
  useFocusReturn({ opened: isOpen });
  useEffect(() => {
    // Fetched at once, but after the page: when it is needed, the gateway may hold another build.
    load().catch(() => undefined);
    return watchExpiry(() => setOpen(true));
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
