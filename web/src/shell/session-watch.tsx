import { lazy, Suspense, useEffect, useState } from 'react';
import { watchOwner } from '../api/owner-watch';
import { useSessionEnd } from './use-session-end';

const OtherUserDialog = lazy(() =>
  import('./other-user-dialog').then((module) => ({ default: module.OtherUserDialog })),
);
const SessionEndingDialog = lazy(() =>
  import('./session-ending-dialog').then((module) => ({ default: module.SessionEndingDialog })),
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
