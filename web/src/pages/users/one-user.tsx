import SearchX from 'icon:search-x';
import { Card, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { LimitsLeft } from '../../activity/limits-left';
import { UsageAndErrors } from '../../activity/usage-and-errors';
import { ApiError } from '../../api/api-error';
import { userLimitsQuery } from '../../api/limits';
import { userQuery } from '../../api/lists';
import { BackLink } from '../../kit/back-link';
import { EmptyState } from '../../kit/empty-state';
import { limitTexts } from '../../kit/limits';
import { ButtonLink } from '../../kit/links';
import { onDemand } from '../../kit/on-demand';
import { Page } from '../../kit/page';
import { QueryStates } from '../../kit/query-states';
import { userLabel } from '../../kit/user-label';
import { UserActionButtons } from './user-action-buttons';
import type { UserAction } from './user-actions';
import { UserFacts } from './user-facts';
import { UserKeys } from './user-keys';

const UserActionDialog = onDemand(
  () => import('./user-action-dialog').then((module) => module.UserActionDialog),
  ({ action }) => action !== null,
  { action: null },
);

/** One user, for administrators. */
export function OneUser({ id }: { id: string }) {
  const query = useQuery(userQuery(id));
  const [asked, setAsked] = useState<UserAction | null>(null);
  const user = query.data;
  if (query.error instanceof ApiError && query.error.status === 404) return <Unknown />;
  return (
    <Page
      title={user ? user.name || userLabel(user) : 'User'}
      before={<BackLink to="/users">Users</BackLink>}
      actions={user && <UserActionButtons user={user} onAction={(kind) => setAsked({ kind, user })} />}
    >
      <QueryStates query={query}>
        {(shown) => (
          <Stack gap="xl">
            <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
              <UserFacts user={shown} />
              <Limits userId={shown.id} />
            </SimpleGrid>
            <UserKeys userId={shown.id} />
            <UsageAndErrors whose={{ user: shown.id }} />
          </Stack>
        )}
      </QueryStates>
      <UserActionDialog action={asked} onClose={() => setAsked(null)} />
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
