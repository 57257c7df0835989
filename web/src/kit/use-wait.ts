import { useEffect, useState } from 'react';
import { ApiError } from '../api/api-error';

/** Seconds left of the wait in an error; 0 if there is none or it is over. */
export function useWait(error: unknown): number {
  const [left, setLeft] = useState(0);
  useEffect(() => {
    const seconds = error instanceof ApiError && error.status === 429 ? (error.retryAfter ?? 0) : 0;
    const until = Date.now() + seconds * 1000;
    const count = () => setLeft(Math.max(0, Math.ceil((until - Date.now()) / 1000)));
    count();
    if (seconds === 0) return;
    const timer = setInterval(count, 500);
    return () => clearInterval(timer);
  }, [error]);
  return left;
}

/** 75 → "1:15" */
export function formatWait(seconds: number): string {
  const [minutes, rest] = [Math.floor(seconds / 60), seconds % 60];
  return minutes > 0 ? `${minutes}:${String(rest).padStart(2, '0')}` : `${rest} s`;
}
