import TriangleAlert from 'icon:triangle-alert';
import { Alert, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { ApiError, messageOf } from '../api/api-error';
import classes from './refusal.module.css';
import { formatWait } from './use-wait';

interface RefusalProps {
  error: unknown;
  /** Seconds until the next attempt is allowed. */
  wait?: number;
  /** What helps besides waiting. */
  wayOut?: ReactNode;
}

/** The reason for a refusal. The countdown is visual only: a screen reader would say outdated seconds. */
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
