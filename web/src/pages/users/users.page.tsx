import UserPlus from 'icon:user-plus';
import Users from 'icon:users';
import UsersRound from 'icon:users-round';
import { Button } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { usersQuery } from '../../api/lists';
import { ListTable, useListView } from '../../kit/list-table';
import { onDemand } from '../../kit/on-demand';
import { Page } from '../../kit/page';
import { EmptyState } from '../../kit/states';
import { userLabel } from '../../kit/words';
import { OneUser } from './one-user';
import { type UserAction, userActions } from './user-actions';
import { USER_SORTS, UserFilters, userColumns, useUserFilters } from './user-columns';

const AddPeopleDialog = onDemand(
  () => import('./add-people').then((module) => module.AddPeopleDialog),
  ({ opened }) => opened,
  { opened: false },
);
/** For ticked rows only. */
const BulkUsers = lazy(async () => ({ default: (await import('./bulk-users')).BulkUsers }));
const CreateUserDialog = onDemand(
  () => import('./create-user-dialog').then((module) => module.CreateUserDialog),
  ({ opened }) => opened,
  { opened: false },
);
const UserActionDialog = onDemand(
  () => import('./user-action-dialog').then((module) => module.UserActionDialog),
  ({ action }) => action !== null,
  { action: null },
);

/** The list, or the user that the address names. One script for both, as they share most of it. */
export function UsersPage() {
  const { id } = useParams({ strict: false });
  return id === undefined ? <UserTable /> : <OneUser key={id} id={id} />;
}

/** Users, with roles and plans. */
function UserTable() {
  const view = useListView({ sorts: USER_SORTS, defaultSort: 'email' });
  const { values, change, question, isFiltered, clear } = useUserFilters();
  const users = useInfiniteQuery(usersQuery({ ...question, ...view.query }));
  const navigate = useNavigate();
  const open = (id: string) => void navigate({ to: '/users/$id', params: { id } });
  const [isCreating, setCreating] = useState(false);
  const [requested, setRequested] = useState<UserAction | null>(null);
  const [isAddingMany, setAddingMany] = useState(false);
  const create = (
    <Button leftSection={<UserPlus size={16} aria-hidden="true" />} onClick={() => setCreating(true)}>
      Add user
    </Button>
  );
  return (
    <Page
      title="Users"
      description="People and service accounts that can use the gateway."
      actions={
        <>
          <Button
            variant="default"
            leftSection={<UsersRound size={16} aria-hidden="true" />}
            onClick={() => setAddingMany(true)}
          >
            Add several
          </Button>
          {create}
        </>
      }
    >
      <ListTable
        label="users"
        query={users}
        view={view}
        columns={userColumns}
        rowKey={({ id }) => id}
        rowLabel={userLabel}
        searchLabel="Search users"
        filters={<UserFilters values={values} change={change} />}
        isFiltered={isFiltered}
        onClearFilters={clear}
        onRowClick={({ id }) => open(id)}
        bulk={(ticked, clear) => (
          <Suspense fallback={null}>
            <BulkUsers users={ticked} clear={clear} />
          </Suspense>
        )}
        menu={(user, Menu) => (
          <>
            <Menu.Item onClick={() => open(user.id)}>Details</Menu.Item>
            {userActions(user).map((action) => (
              <Menu.Item
                key={action.kind}
                color={action.isDangerous ? 'red' : undefined}
                onClick={() => setRequested({ kind: action.kind, user })}
              >
                {action.label}
              </Menu.Item>
            ))}
          </>
        )}
        empty={
          <EmptyState icon={Users} title="No users yet" action={create}>
            Add the people who need their own keys.
          </EmptyState>
        }
      />
      <AddPeopleDialog opened={isAddingMany} onClose={() => setAddingMany(false)} />
      <CreateUserDialog opened={isCreating} onClose={() => setCreating(false)} />
      <UserActionDialog action={requested} onClose={() => setRequested(null)} />
    </Page>
  );
}
