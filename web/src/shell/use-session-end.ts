import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { signedInQuery } from '../api/session';
import { sessionEnd, sessionUsedAt, signedInAgain } from '../api/session-clock';

const TICK_MS = 1000;

export interface Ending {
  seconds: number;
  isFinal: boolean;
}

/** The remaining time of a session that is about to end; null before. When it has ended, asks for a new sign-in. */
export function useSessionEnd(): Ending | null {
  const { data, dataUpdatedAt: readAt } = useQuery({ ...signedInQuery, enabled: false });
  const lasting = data?.lasting;
  const [ending, setEnding] = useState<Ending | null>(null);
  useEffect(() => {
    if (!lasting) return;
    let isOver = false;
    const look = () => {
      const { leftMs, warnMs, isFinal } = sessionEnd(lasting, { readAt, usedAt: sessionUsedAt(), now: Date.now() });
      const isNear = leftMs > 0 && leftMs <= warnMs;
      setEnding(isNear ? { seconds: Math.ceil(leftMs / 1000), isFinal } : null);
      if (leftMs <= 0 && !isOver) void signedInAgain();
      isOver = leftMs <= 0;
    };
    look();
    const timer = setInterval(look, TICK_MS);
    return () => clearInterval(timer);
  }, [lasting, readAt]);
  return ending;
}
