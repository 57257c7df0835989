import { Alert, Text } from '@mantine/core';
import { TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { ApiError, messageOf } from '../api/api-error';
import classes from './refusal.module.css';
import { formatWait } from './use-wait';

interface RefusalProps {
  error: unknown;
  /** Seconds until the next attempt makes sense. */
  wait?: number;
  /** What else helps than to wait. */
  wayOut?: ReactNode;
}

/** Why it did not work. The seconds count down for the eye only: said once, they would be out of date. */
export function Refusal({ error, wait = 0, wayOut }: RefusalProps) {
  if (error === null || error === undefined) return null;
  const isWait = error instanceof ApiError && error.status === 429;
  return (
    <Alert
      color="red"
      role="alert"
      p="sm"
      classNames={{ icon: classes.icon }}
      icon={<TriangleAlert size={16} aria-hidden="true" />}
    >
      {isWait ? (
        <>
          Too many attempts.{' '}
          <Text span inherit aria-hidden="true">
            {wait > 0 ? `Try again in ${formatWait(wait)}.` : 'You can try again now.'}
          </Text>
          {wayOut && (
            <Text inherit mt={4}>
              {wayOut}
            </Text>
          )}
        </>
      ) : (
        messageOf(error)
      )}
    </Alert>
  );
}
