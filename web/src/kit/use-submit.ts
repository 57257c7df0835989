import { type FormEvent, useEffect, useState } from 'react';
import { ApiError, messageOf } from '../api/api-error';

/**
 * Sends a form or the answer to a question, once at a time. `toFault` says what to show for the whole form; null if it
 * has shown the error at a field.
 */
export function useSubmit(send: () => unknown, toFault: (error: unknown) => string | null = messageOf) {
  const [isBusy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<{ error: unknown; fault: string | null }>({ error: null, fault: null });
  const submit = async () => {
    if (isBusy) return;
    setBusy(true);
    setRefusal({ error: null, fault: null });
    try {
      await send();
    } catch (error) {
      setRefusal({ error, fault: toFault(error) });
    } finally {
      setBusy(false);
    }
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    void submit();
  };
  return { ...refusal, isBusy, submit, onSubmit };
}

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
