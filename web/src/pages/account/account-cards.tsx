import Laptop from 'icon:laptop';
import { Button, Card, Group, PasswordInput, Skeleton, Stack, Text, TextInput, Title } from '@mantine/core';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { ApiError } from '../../api/api-error';
import { api, unwrap } from '../../api/client';
import type { components } from '../../api/schema';
import { RelativeTime } from '../../kit/figures';
import { Refusal } from '../../kit/notes';
import { notifyDone, notifyError } from '../../kit/notify';
import { onDemand, Tip } from '../../kit/on-demand';
import { MIN_PASSWORD_LENGTH, NewPasswordField } from '../../kit/password-field';
import { QueryStates } from '../../kit/states';
import { StatusBadge } from '../../kit/status-badge';
import { formatDate } from '../../kit/times';
import { useSubmit, useWait } from '../../kit/use-submit';
import classes from './account.module.css';
import { browserName } from './browser-name';

export type Account = components['schemas']['AccountView'];
type AccountSession = components['schemas']['AccountSessionView'];

export const accountQuery = queryOptions({
  queryKey: ['account'],
  queryFn: ({ signal }) => unwrap(api.GET('/api/account', { signal })),
});

const accountSessionsQuery = queryOptions({
  queryKey: ['account', 'sessions'],
  queryFn: ({ signal }) => unwrap(api.GET('/api/account/sessions', { signal })),
});

interface SectionProps {
  title: string;
  description?: string;
  children: ReactNode;
}

/** A section of the account page. */
export function Section({ title, description, children }: SectionProps) {
  return (
    <Card component="section">
      <Stack gap={2} mb="md">
        <Title order={2}>{title}</Title>
        {description && (
          <Text c="dimmed" size="sm">
            {description}
          </Text>
        )}
      </Stack>
      {children}
    </Card>
  );
}

export function ProfileForm({ account }: { account: Account }) {
  const [name, setName] = useState(account.name);
  const queries = useQueryClient();
  const rename = useSubmit(async () => {
    const changed = await unwrap(api.PATCH('/api/account', { body: { name } }));
    setName(changed.name);
    queries.setQueryData(accountQuery.queryKey, changed);
    void queries.invalidateQueries({ queryKey: ['session'] });
    notifyDone('Your name was changed.');
  });
  return (
    <form onSubmit={rename.onSubmit}>
      <Stack gap="md" maw={420}>
        <Refusal error={rename.error} />
        <TextInput
          label="Name"
          name="name"
          autoComplete="name"
          maxLength={100}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <TextInput
          label="E-mail"
          value={account.email}
          readOnly
          description="You sign in with it; it cannot be changed."
        />
        <Group>
          <Button type="submit" loading={rename.isBusy} disabled={name.trim() === account.name}>
            Save
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

const EMPTY = { currentPassword: '', newPassword: '' };

export function PasswordForm({ email }: { email: string }) {
  const [fields, setFields] = useState(EMPTY);
  const queries = useQueryClient();
  const change = useSubmit(async () => {
    await unwrap(api.POST('/api/account/password', { body: fields }));
    setFields(EMPTY);
    void queries.invalidateQueries({ queryKey: accountSessionsQuery.queryKey });
    notifyDone('Your password was changed. You are signed out everywhere else.');
  });
  const wait = useWait(change.error);
  const wrong = change.error instanceof ApiError && change.error.param === 'currentPassword';
  return (
    <form onSubmit={change.onSubmit}>
      <Stack gap="md" maw={420}>
        <Refusal error={wrong ? null : change.error} wait={wait} />
        <input type="email" name="email" autoComplete="username" value={email} readOnly hidden />
        <PasswordInput
          label="Current password"
          name="current-password"
          autoComplete="current-password"
          required
          withAsterisk={false}
          visibilityToggleButtonProps={{ 'aria-label': 'Show password', tabIndex: 0 }}
          error={wrong ? change.fault : null}
          value={fields.currentPassword}
          onChange={({ currentTarget: { value } }) => setFields((now) => ({ ...now, currentPassword: value }))}
        />
        <NewPasswordField
          label="New password"
          value={fields.newPassword}
          onChange={(newPassword) => setFields((now) => ({ ...now, newPassword }))}
        />
        <Group>
          <Button
            type="submit"
            loading={change.isBusy}
            disabled={fields.newPassword.length < MIN_PASSWORD_LENGTH || wait > 0}
          >
            Change password
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

type Payments = components['schemas']['PaymentsView'];
type PaidPlan = Payments['paid'][number];

const paymentsQuery = queryOptions({
  queryKey: ['payments'],
  queryFn: ({ signal }) => unwrap(api.GET('/api/payments', { signal })),
});

/** Plans that the person bought or can buy. */
export function PaidPlans() {
  const payments = useQuery(paymentsQuery);
  return (
    <QueryStates query={payments} skeleton={<Skeleton h={36} maw={420} />}>
      {(data) => <Plans payments={data} />}
    </QueryStates>
  );
}

function Plans({ payments: { offers, paid } }: { payments: Payments }) {
  const checkout = useMutation({
    mutationFn: (planId: string) => unwrap(api.POST('/api/payments/checkout', { body: { planId } })),
    onSuccess: ({ url }) => window.location.assign(url),
  });
  const portal = useMutation({
    mutationFn: () => unwrap(api.POST('/api/payments/portal')),
    onSuccess: ({ url }) => window.location.assign(url),
  });
  const isLeaving = checkout.isPending || portal.isPending || checkout.isSuccess || portal.isSuccess;
  const running = paid.filter((plan) => plan.running);
  const nameOf = (planId: string) => offers.find((offer) => offer.planId === planId)?.name ?? planId;
  return (
    <Stack gap="md">
      <Refusal error={checkout.error ?? portal.error} />
      {running.length === 0 && <Text size="sm">You have no paid plan.</Text>}
      {running.map((plan) => (
        <Text key={plan.planId} size="sm">
          <b>{nameOf(plan.planId)}</b> {stateOf(plan)}
        </Text>
      ))}
      <Group gap="sm">
        {offers
          .filter(({ planId }) => !running.some((plan) => plan.planId === planId))
          .map(({ planId, name }) => (
            <Button key={planId} loading={isLeaving} onClick={() => checkout.mutate(planId)}>
              Buy {name}
            </Button>
          ))}
        {paid.length > 0 && (
          <Button variant="default" loading={isLeaving} onClick={() => portal.mutate()}>
            Manage payments
          </Button>
        )}
      </Group>
    </Stack>
  );
}

function stateOf({ status, paidUntil, ends }: PaidPlan): string {
  if (status === 'past_due' || status === 'unpaid') return '– the last payment failed: open “Manage payments”.';
  if (paidUntil === null) return '– waits for its first payment.';
  if (new Date(paidUntil) <= new Date()) {
    return `– not paid since ${formatDate(new Date(paidUntil))}: open “Manage payments”.`;
  }
  return ends
    ? `until ${formatDate(new Date(paidUntil))}; it then ends.`
    : `– renews on ${formatDate(new Date(paidUntil))}.`;
}

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
  () => import('../../kit/dialog').then((module) => module.ConfirmDialog),
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
