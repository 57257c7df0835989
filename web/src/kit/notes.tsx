import ShieldX from 'icon:shield-x';
import TriangleAlert from 'icon:triangle-alert';
import { Alert, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { ApiError, messageOf } from '../api/api-error';
import classes from './kit.module.css';
import { plural } from './numbers';
import { TextLink } from './page';
import type { SearchParams } from './search-params';
import { formatWait } from './use-submit';
import { unpricedText } from './words';

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

/** The gateway's error message; nothing if there is none. */
export function FaultNote({ fault }: { fault: string | null }) {
  if (fault === null) return null;
  return (
    <Alert color="red" role="alert" p="xs">
      {fault}
    </Alert>
  );
}

interface RefusedNoteProps {
  refused: number | undefined;
  /** Of the page of requests: its range and filters. */
  search: SearchParams;
}

/** Below an error rate: the requests that are not part of it. */
export function RefusedNote({ refused, search }: RefusedNoteProps) {
  if (!refused) return null;
  const were = plural(refused, 'request was', 'requests were');
  return (
    <Group gap={6} mt="xs" wrap="nowrap" align="flex-start">
      <ShieldX size={15} aria-hidden="true" color="var(--console-warn)" style={{ flex: 'none', marginTop: 2 }} />
      <Text size="sm">
        {were} refused before a model was called, due to the key, a limit or an error in the request. They are not part
        of the error rate.{' '}
        <TextLink to="/requests" search={{ ...search, statuses: 'refused' }} inherit underline="always">
          Show refused requests
        </TextLink>
      </Text>
    </Group>
  );
}

/** Shown below a sum of costs: the calls that it does not include because their models have no price. */
export function UnpricedNote({ calls }: { calls: number | undefined }) {
  if (!calls) return null;
  return (
    <Group gap={6} mt="xs" wrap="nowrap" align="flex-start">
      <TriangleAlert size={15} aria-hidden="true" color="var(--console-warn)" style={{ flex: 'none', marginTop: 2 }} />
      <Text size="sm">
        {unpricedText(calls)}{' '}
        <TextLink to="/models" inherit underline="always">
          See the models
        </TextLink>
      </Text>
    </Group>
  );
}
