import { useFocusReturn } from '@mantine/hooks';
import { lazy, Suspense, useEffect, useState } from 'react';
import { watchOwner } from '../api/page-owner';
import { settleExpiry, watchExpiry } from '../api/session-clock';
import { useSessionEnd } from './use-session-end';

const load = () => import('./session-dialogs').then((module) => ({ default: module.SignInAgainDialog }));
const SignInAgainDialog = lazy(load);

/** Events that start an action on a page. */
const FIRST_INTERACTIONS = ['pointerdown', 'keydown'] as const;

/** Asks for the password when the session has ended, above the page and without losing its content. */
export function SignInAgain() {
  const [isOpen, setOpen] = useState(false);
  useFocusReturn({ opened: isOpen });
  useEffect(() => {
    // Loaded as soon as the page has unsaved input: later the gateway may have another build.
    const fetchIt = () => void load().catch(() => undefined);
    for (const event of FIRST_INTERACTIONS) window.addEventListener(event, fetchIt, { once: true, passive: true });
    const stopWatching = watchExpiry(() => setOpen(true));
    return () => {
      for (const event of FIRST_INTERACTIONS) window.removeEventListener(event, fetchIt);
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

const OtherUserDialog = lazy(() => import('./session-dialogs').then((module) => ({ default: module.OtherUserDialog })));
const SessionEndingDialog = lazy(() =>
  import('./session-dialogs').then((module) => ({ default: module.SessionEndingDialog })),
);

/** Warns when the session is about to end, and when another user has signed in in another tab. */
export function SessionWatch() {
  const [other, setOther] = useState<string | null>(null);
  const end = useSessionEnd();
  useEffect(() => watchOwner(setOther), []);
  if (other !== null) {
    return (
      <Suspense fallback={null}>
        <OtherUserDialog email={other} />
      </Suspense>
    );
  }
  return end ? (
    <Suspense fallback={null}>
      <SessionEndingDialog {...end} />
    </Suspense>
  ) : null;
}
