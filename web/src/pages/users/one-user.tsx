import Ellipsis from 'icon:ellipsis';
import KeyRound from 'icon:key-round';
import SearchX from 'icon:search-x';
import { ActionIcon, Button, Card, Stack, Text, Title } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { LimitsLeft, UsageAndErrors } from '../../activity/usage-and-errors';
import { ApiError } from '../../api/api-error';
import { api, unwrap } from '../../api/client';
import { userLimitsQuery, userQuery } from '../../api/lists';
import type { components } from '../../api/schema';
import { DataTable } from '../../kit/data-table';
import type { Column } from '../../kit/data-table-rows';
import { CopyableId, Fact, Facts, Money, RelativeTime } from '../../kit/figures';
import { limitTexts } from '../../kit/limits';
import { formatNumber, plural } from '../../kit/numbers';
import { DropMenu, onDemand } from '../../kit/on-demand';
import { BackLink, ButtonLink, Grid, Page, Section, TextLink } from '../../kit/page';
import { EmptyState, QueryStates } from '../../kit/states';
import { StatusBadge, type StatusTone } from '../../kit/status-badge';
import { userLabel } from '../../kit/words';
import { type UserAction, type UserActionKind, type UserView, userActions } from './user-actions';
import { SOURCE_NAMES, UserStatus } from './user-columns';

const AS_BUTTONS: readonly UserActionKind[] = ['limits', 'plan', 'disable', 'enable'];

interface UserActionButtonsProps {
  user: UserView;
  onAction: (kind: UserActionKind) => void;
}

/** The most important actions as buttons, the others in a menu. */
function UserActionButtons({ user, onAction }: UserActionButtonsProps) {
  const actions = userActions(user);
  return (
    <>
      {actions
        .filter(({ kind }) => AS_BUTTONS.includes(kind))
        .map(({ kind, label, isDangerous }) => (
          <Button
            key={kind}
            variant={isDangerous ? 'light' : 'default'}
            color={isDangerous ? 'red' : undefined}
            onClick={() => onAction(kind)}
          >
            {label}
          </Button>
        ))}
      <DropMenu
        position="bottom-end"
        target={
          <ActionIcon size={36} aria-label={`More actions for ${userLabel(user)}`}>
            <Ellipsis size={16} aria-hidden="true" />
          </ActionIcon>
        }
      >
        {(Menu) =>
          actions
            .filter(({ kind }) => !AS_BUTTONS.includes(kind))
            .map(({ kind, label }) => (
              <Menu.Item key={kind} onClick={() => onAction(kind)}>
                {label}
              </Menu.Item>
            ))
        }
      </DropMenu>
    </>
  );
}

/** Who a user is. */
function UserFacts({ user }: { user: UserView }) {
  const { id, email, project, name, role, plan, status, source, keys, spentThisMonth, lastSeenAt, createdAt } = user;
  return (
    <Card>
      <Title order={2} size="h2" mb="md">
        About
      </Title>
      <Facts>
        {email && <Fact name="E-mail">{email}</Fact>}
        {project && <Fact name="Project">{project.name}</Fact>}
        {name !== '' && <Fact name="Name">{name}</Fact>}
        <Fact name="Status">
          <UserStatus status={status} />
        </Fact>
        <Fact name="Role">{role === 'admin' ? 'Admin' : 'Member'}</Fact>
        <Fact name="Plan">
          <Plan plan={plan} />
        </Fact>
        <Fact name="Signs in with">{SOURCE_NAMES[source]}</Fact>
        <Fact name="Working keys">{formatNumber(keys)}</Fact>
        <Fact name="This month">
          <Money usd={spentThisMonth.costUsd} /> in {plural(spentThisMonth.calls, 'request')}
        </Fact>
        <Fact name="Last seen">
          <RelativeTime value={lastSeenAt} />
        </Fact>
        <Fact name="Added">
          <RelativeTime value={createdAt} as="date" />
        </Fact>
        <Fact name="Id">
          <CopyableId value={id} what="user id" />
        </Fact>
      </Facts>
    </Card>
  );
}

function Plan({ plan: { name, since, until } }: Pick<UserView, 'plan'>) {
  return (
    <>
      {name}
      {since && (
        <Text size="xs" c="dimmed" component="div">
          since <RelativeTime value={since} as="date" />
          {until ? (
            <>
              {' '}
              until <RelativeTime value={until} as="date" />
            </>
          ) : (
            ', no end'
          )}
        </Text>
      )}
    </>
  );
}

type KeyView = components['schemas']['KeyView'];

/** A user has at most 100 live keys, unless the settings allow more; then the newest are shown. */
const MAX = 100;

const STATUSES: Record<KeyView['status'], { tone: StatusTone; text: string }> = {
  active: { tone: 'good', text: 'Active' },
  expired: { tone: 'bad', text: 'Expired' },
  disabled: { tone: 'neutral', text: 'Disabled' },
  revoked: { tone: 'bad', text: 'Revoked' },
};

const COLUMNS: Column<KeyView>[] = [
  {
    key: 'name',
    header: 'Key',
    onCard: 'title',
    sortValue: ({ name }) => name,
    cell: ({ id, name }) => (
      <TextLink to="/keys/$id" params={{ id }} size="sm">
        {name}
      </TextLink>
    ),
  },
  { key: 'display', header: 'Secret', narrow: 'hide', cell: ({ display }) => display },
  {
    key: 'status',
    header: 'Status',
    sortValue: ({ status }) => status,
    cell: ({ status }) => <StatusBadge tone={STATUSES[status].tone}>{STATUSES[status].text}</StatusBadge>,
  },
  {
    key: 'spent',
    header: 'This month',
    align: 'right',
    sortValue: ({ spentThisMonth }) => spentThisMonth.costUsd,
    cell: ({ spentThisMonth }) => <Money usd={spentThisMonth.costUsd} decimals={4} />,
  },
  {
    key: 'used',
    header: 'Last used',
    sortValue: ({ lastUsed }) => lastUsed?.at,
    cell: ({ lastUsed }) => <RelativeTime value={lastUsed?.at} />,
  },
];

function userKeysQuery(userId: string) {
  return queryOptions({
    queryKey: ['users', 'keys', userId],
    queryFn: async ({ signal }) => {
      const query = { scope: 'all', userId, status: 'current', limit: MAX, sort: '-created' } as const;
      return (await unwrap(api.GET('/api/keys', { params: { query }, signal }))).items;
    },
  });
}

/** A user's keys, without revoked ones. */
function UserKeys({ userId }: { userId: string }) {
  const query = useQuery(userKeysQuery(userId));
  return (
    <Section title="Keys">
      <DataTable
        label="keys"
        query={query}
        columns={COLUMNS}
        rowKey={({ id }) => id}
        rowLabel={({ name }) => name}
        empty={
          <EmptyState icon={KeyRound} title="No keys">
            This user has no keys, or all of them are revoked.
          </EmptyState>
        }
      />
    </Section>
  );
}

const UserActionDialog = onDemand(
  () => import('./user-action-dialog').then((module) => module.UserActionDialog),
  ({ action }) => action !== null,
  { action: null },
);

/** One user, for administrators. */
export function OneUser({ id }: { id: string }) {
  const query = useQuery(userQuery(id));
  const [requested, setRequested] = useState<UserAction | null>(null);
  const user = query.data;
  if (query.error instanceof ApiError && query.error.status === 404) return <Unknown />;
  return (
    <Page
      title={user ? user.name || userLabel(user) : 'User'}
      before={<BackLink to="/users">Users</BackLink>}
      actions={user && <UserActionButtons user={user} onAction={(kind) => setRequested({ kind, user })} />}
    >
      <QueryStates query={query}>
        {(shown) => (
          <Stack gap="xl">
            <Grid cols={{ base: 1, md: 2 }} gap="lg">
              <UserFacts user={shown} />
              <Limits userId={shown.id} />
            </Grid>
            <UserKeys userId={shown.id} />
            <UsageAndErrors whose={{ user: shown.id }} />
          </Stack>
        )}
      </QueryStates>
      <UserActionDialog action={requested} onClose={() => setRequested(null)} />
    </Page>
  );
}

/** Their limits, from the plan or their own. */
function Limits({ userId }: { userId: string }) {
  const query = useQuery(userLimitsQuery(userId));
  return (
    <Card>
      <Title order={2} size="h2" mb="md">
        Limits and what is left
      </Title>
      <QueryStates query={query}>
        {({ values, budgets, rates }) => (
          <Stack gap="md">
            {limitTexts(values).length > 0 && <Text size="sm">{limitTexts(values).join(', ')}</Text>}
            <LimitsLeft budgets={budgets} rates={rates} none="No limits, no budgets." />
          </Stack>
        )}
      </QueryStates>
    </Card>
  );
}

function Unknown() {
  return (
    <Page title="User" before={<BackLink to="/users">Users</BackLink>}>
      <EmptyState
        icon={SearchX}
        title="User not found"
        action={
          <ButtonLink to="/users" variant="default">
            All users
          </ButtonLink>
        }
      >
        There is no user with this id.
      </EmptyState>
    </Page>
  );
}
