import Laptop from 'icon:laptop';
import { Button, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, unwrap } from '../../api/client';
import { notifyDone, notifyError } from '../../kit/notify';
import { onDemand } from '../../kit/on-demand';
import { QueryStates } from '../../kit/query-states';
import { RelativeTime } from '../../kit/relative-time';
import { StatusBadge } from '../../kit/status-badge';
import { Tip } from '../../kit/tip';
import classes from './account.module.css';
import { type AccountSession, accountSessionsQuery } from './account-queries';
import { browserName } from './browser-name';

const METHODS = { password: 'password', oidc: 'single sign-on', setup: 'set-up link' } as const;

export function SessionList() {
  const sessions = useQuery(accountSessionsQuery);
  return (
    <QueryStates query={sessions}>
      {(list) => (
        <Stack gap="md">
          <ul className={classes.sessions} aria-label="Sessions">
            {inOrder(list).map((session) => (
              <SessionItem key={session.id} session={session} />
            ))}
          </ul>
          <EndAll others={list.filter(({ current }) => !current).length} />
        </Stack>
      )}
    </QueryStates>
  );
}

function SessionItem({ session }: { session: AccountSession }) {
  const { id, current, method, address, userAgent, createdAt, lastSeenAt } = session;
  const queries = useQueryClient();
  const name = browserName(userAgent);
  const end = useMutation({
    mutationFn: () => unwrap(api.DELETE('/api/account/sessions/{id}', { params: { path: { id } } })),
    onSuccess: () => notifyDone(`${name} was signed out.`),
    onError: notifyError,
    onSettled: () => queries.invalidateQueries({ queryKey: accountSessionsQuery.queryKey }),
  });
  return (
    <li className={classes.session}>
      <Laptop size={18} strokeWidth={1.75} aria-hidden="true" className={classes.icon} />
      <div className={classes.what}>
        <Group gap="xs">
          <Tip label={userAgent ?? 'Unknown client'} multiline maw={420}>
            <Text size="sm" fw={500}>
              {name}
            </Text>
          </Tip>
          {current && <StatusBadge tone="good">This browser</StatusBadge>}
        </Group>
        <Text size="xs" c="dimmed" component="div">
          {address ?? 'unknown address'} · signed in with {METHODS[method]} <RelativeTime value={createdAt} /> · last
          used <RelativeTime value={lastSeenAt} />
        </Text>
      </div>
      {!current && (
        <Button
          size="compact-sm"
          variant="default"
          loading={end.isPending}
          onClick={() => end.mutate()}
          aria-label={`Sign out ${name}`}
        >
          Sign out
        </Button>
      )}
    </li>
  );
}

const ConfirmDialog = onDemand(
  () => import('../../kit/confirm-dialog').then((module) => module.ConfirmDialog),
  ({ opened }) => opened,
  { opened: false },
);

function EndAll({ others }: { others: number }) {
  const [closing, setClosing] = useState<'others' | 'all' | null>(null);
  const queries = useQueryClient();
  const keepCurrent = closing === 'others';
  const confirm = async () => {
    await unwrap(api.DELETE('/api/account/sessions', { params: { query: { keepCurrent } } }));
    if (!keepCurrent) window.location.assign('/login');
    else await queries.invalidateQueries({ queryKey: accountSessionsQuery.queryKey });
  };
  return (
    <Group gap="xs">
      <Button variant="default" disabled={others === 0} onClick={() => setClosing('others')}>
        Sign out everywhere else
      </Button>
      <Button variant="subtle" color="red" onClick={() => setClosing('all')}>
        Sign out everywhere
      </Button>
      <ConfirmDialog
        opened={closing !== null}
        onClose={() => setClosing(null)}
        title={keepCurrent ? 'Sign out everywhere else?' : 'Sign out everywhere?'}
        confirmLabel="Sign out"
        isDangerous
        onConfirm={confirm}
      >
        {keepCurrent
          ? 'All your other sessions end immediately. You stay signed in here.'
          : 'All your sessions end immediately, including this one.'}{' '}
        Your API keys keep working.
      </ConfirmDialog>
    </Group>
  );
}

function inOrder(sessions: readonly AccountSession[]): AccountSession[] {
  return [...sessions].sort((a, b) => Number(b.current) - Number(a.current));
}
