import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { UserPlus, Users } from 'lucide-react';
import { useState } from 'react';
import { usersQuery } from '../../api/lists';
import { DataTable } from '../../kit/data-table';
import { EmptyState } from '../../kit/empty-state';
import { onDemand } from '../../kit/on-demand';
import { Page } from '../../kit/page';
import { useUrlDrawer } from '../../kit/use-url-drawer';
import { type UserAction, userActions } from './user-actions';
import { userColumns } from './user-columns';
import { UserFilters, useUserFilters } from './user-filters';
import { SOURCE_NAMES } from './user-status';
import type { UserView } from './users-queries';

const CreateUserDialog = onDemand(
  () => import('./create-user-dialog').then((module) => module.CreateUserDialog),
  ({ opened }) => opened,
  { opened: false },
);
const UserDrawer = onDemand(
  () => import('./user-drawer').then((module) => module.UserDrawer),
  ({ user }) => user !== undefined,
  { user: undefined },
);
const UserActionDialog = onDemand(
  () => import('./user-action-dialog').then((module) => module.UserActionDialog),
  ({ action }) => action !== null,
  { action: null },
);

/** Who may use the gateway, in which role and on which plan. */
export function UsersPage() {
  const users = useQuery(usersQuery);
  const { rows, values, change, clear } = useUserFilters(users.data);
  const [openId, open, close] = useUrlDrawer('user');
  const [isCreating, setCreating] = useState(false);
  const [asked, setAsked] = useState<UserAction | null>(null);
  const create = (
    <Button leftSection={<UserPlus size={16} aria-hidden="true" />} onClick={() => setCreating(true)}>
      Add user
    </Button>
  );
  return (
    <Page title="Users" description="People and service accounts that may use the gateway." actions={create}>
      <DataTable
        label="users"
        query={users}
        rows={rows}
        columns={userColumns}
        rowKey={({ id }) => id}
        rowLabel={({ email }) => email}
        searchText={searchTextOf}
        defaultSort={{ key: 'email', descending: false }}
        filters={<UserFilters values={values} change={change} />}
        onClearFilters={clear}
        onRowClick={({ id }) => open(id)}
        menu={(user, Menu) => (
          <>
            <Menu.Item onClick={() => open(user.id)}>Details</Menu.Item>
            {userActions(user).map((action) => (
              <Menu.Item
                key={action.kind}
                color={action.isDangerous ? 'red' : undefined}
                onClick={() => setAsked({ kind: action.kind, user })}
              >
                {action.label}
              </Menu.Item>
            ))}
          </>
        )}
        empty={
          <EmptyState icon={Users} title="No users yet" action={create}>
            Add the people who should have keys of their own.
          </EmptyState>
        }
      />
      <CreateUserDialog opened={isCreating} onClose={() => setCreating(false)} />
      <UserDrawer
        user={users.data?.find(({ id }) => id === openId)}
        onClose={close}
        onAction={(kind, user) => setAsked({ kind, user })}
      />
      <UserActionDialog action={asked} onClose={() => setAsked(null)} />
    </Page>
  );
}

function searchTextOf({ email, name, plan, source }: UserView): string {
  return `${email} ${name} ${plan.name} ${SOURCE_NAMES[source]}`;
}
