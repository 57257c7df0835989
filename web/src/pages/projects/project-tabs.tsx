import Bot from 'icon:bot';
import KeyRound from 'icon:key-round';
import Plus from 'icon:plus';
import UserPlus from 'icon:user-plus';
import Users from 'icon:users';
import { Button, Group, Stack, Text } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import {
  type ProjectDetail,
  type ProjectMember,
  projectQuery,
  type ServiceAccount,
  serviceAccountsQuery,
} from '../../api/projects';
import { columnsFor, decimalsFor, KEY_SORTS, StatusSelect } from '../../keys/key-columns';
import { KeyMenu, useKeyDialogs } from '../../keys/key-menu';
import { STATUS_FILTERS, type StatusFilter } from '../../keys/key-state';
import { keysQuery } from '../../keys/keys-api';
import { DataTable } from '../../kit/data-table';
import type { Column } from '../../kit/data-table-rows';
import { Money, RelativeTime, useNow } from '../../kit/figures';
import { ListTable, useListView } from '../../kit/list-table';
import { notifyDone, notifyError } from '../../kit/notify';
import { formatNumber } from '../../kit/numbers';
import { onDemand } from '../../kit/on-demand';
import { EmptyState } from '../../kit/states';
import { StatusBadge } from '../../kit/status-badge';
import { useUrlState } from '../../kit/url-state';
import { createAccount, ROLE_NAMES, removeMember, setRole, updateAccount } from './project-columns';

const STATUSES: readonly StatusFilter[] = STATUS_FILTERS.map(({ value }) => value);

/** The keys of a project and of its service accounts. */
export function ProjectKeys({ project }: { project: ProjectDetail }) {
  const now = useNow();
  const [status, setStatus] = useUrlState<StatusFilter>('status', 'current', { oneOf: STATUSES });
  const view = useListView({ sorts: KEY_SORTS, defaultSort: '-created' });
  const query = useInfiniteQuery(keysQuery({ project: project.id, status, ...view.query }));
  const decimals = decimalsFor(query.data?.pages.flatMap(({ items }) => items) ?? []);
  const canChange = project.canManage && project.archivedAt === null;
  const columns = useMemo(
    () => columnsFor({ scope: 'project', now, decimals, isReadOnly: !canChange }),
    [now, decimals, canChange],
  );
  const { open, element } = useKeyDialogs({ newName: '', project });
  const create = canChange && (
    <Button leftSection={<Plus size={16} aria-hidden="true" />} onClick={() => open({ kind: 'create' })}>
      Create key
    </Button>
  );
  const hasNoRows = query.data?.pages[0]?.items.length === 0 && status === 'current' && view.query.q === '';
  return (
    <>
      {!hasNoRows && create && (
        <Group justify="flex-end" mb="sm">
          {create}
        </Group>
      )}
      <ListTable
        label="keys of the project"
        query={query}
        view={view}
        columns={columns}
        rowKey={({ id }) => id}
        rowLabel={({ name }) => name}
        searchLabel="Search by name or key"
        filters={<StatusSelect value={status} onChange={setStatus} />}
        isFiltered={status !== 'current'}
        onClearFilters={() => setStatus('all')}
        menu={canChange ? (key, parts) => <KeyMenu parts={parts} apiKey={key} mayStore onOpen={open} /> : undefined}
        empty={
          <EmptyState icon={KeyRound} title="No keys yet" action={create}>
            A project key works until someone revokes it, even if the person who created it leaves.
          </EmptyState>
        }
      />
      {element}
    </>
  );
}

const AddMemberDialog = onDemand(
  () => import('./project-dialogs').then((module) => module.AddMemberDialog),
  ({ opened }) => opened,
  { opened: false },
);
const ConfirmDialog = onDemand(
  () => import('../../kit/dialog').then((module) => module.ConfirmDialog),
  ({ opened }) => opened,
  { opened: false },
);

const MEMBER_COLUMNS: Column<ProjectMember>[] = [
  {
    key: 'email',
    header: 'Person',
    onCard: 'title',
    sortValue: ({ email }) => email,
    cell: ({ email, name, disabled }) => (
      <Stack gap={0}>
        <Text size="sm" fw={500} style={{ overflowWrap: 'anywhere' }}>
          {email}
        </Text>
        {(name || disabled) && (
          <Text size="xs" c="dimmed">
            {[name, disabled && 'Account disabled'].filter(Boolean).join(' · ')}
          </Text>
        )}
      </Stack>
    ),
  },
  { key: 'role', header: 'Role', sortValue: ({ role }) => role, cell: ({ role }) => ROLE_NAMES[role] },
  {
    key: 'source',
    header: 'Added by',
    cell: ({ source }) => (source === 'oidc' ? 'A single sign-on group' : 'A manager or administrator'),
  },
];

const searchText = ({ email, name }: ProjectMember) => `${email} ${name}`;

/** The people of a project, and their roles. Members that single sign-on added are removed only by single sign-on. */
export function ProjectMembers({ project }: { project: ProjectDetail }) {
  const { id, canManage, archivedAt } = project;
  const query = useQuery({ ...projectQuery(id), select: ({ memberList }) => memberList });
  const [isAdding, setAdding] = useState(false);
  const [leaver, setLeaver] = useState<ProjectMember | null>(null);
  const [isQuerying, setRequesting] = useState(false);
  const canChange = canManage && archivedAt === null;
  const add = canChange && (
    <Button leftSection={<UserPlus size={16} aria-hidden="true" />} onClick={() => setAdding(true)}>
      Add member
    </Button>
  );
  const remove = (member: ProjectMember) => {
    setLeaver(member);
    setRequesting(true);
  };
  return (
    <>
      {project.members > 0 && add && (
        <Group justify="flex-end" mb="sm">
          {add}
        </Group>
      )}
      <DataTable
        label="members"
        query={query}
        columns={MEMBER_COLUMNS}
        rowKey={({ userId }) => userId}
        rowLabel={({ email }) => email}
        defaultSort={{ key: 'email', descending: false }}
        searchText={searchText}
        menu={
          canChange
            ? (member, Menu) => (
                <>
                  <Menu.Item onClick={() => void switchRole(id, member)}>
                    {member.role === 'manager' ? 'Make a member' : 'Make a manager'}
                  </Menu.Item>
                  {member.source === 'local' ? (
                    <Menu.Item color="red" onClick={() => remove(member)}>
                      Remove
                    </Menu.Item>
                  ) : (
                    <Menu.Item disabled>Removed by single sign-on</Menu.Item>
                  )}
                </>
              )
            : undefined
        }
        empty={
          <EmptyState icon={Users} title="No members yet" action={add}>
            Managers make keys, add people and set limits; members see all of it.
          </EmptyState>
        }
      />
      <AddMemberDialog opened={isAdding} projectId={id} onClose={() => setAdding(false)} />
      <ConfirmDialog
        opened={isQuerying}
        onClose={() => setRequesting(false)}
        title={`Remove ${leaver?.email}?`}
        confirmLabel="Remove"
        isDangerous
        onConfirm={() => removeMember(id, leaver?.userId ?? '')}
      >
        The person loses access to the project. Its keys keep working: rotate the ones this person knows.
      </ConfirmDialog>
    </>
  );
}

async function switchRole(id: string, { userId, email, role }: ProjectMember): Promise<void> {
  const next = role === 'manager' ? 'member' : 'manager';
  try {
    await setRole(id, userId, next);
    notifyDone(`${email} is a ${next} now`);
  } catch (error) {
    notifyError(error);
  }
}

const NameDialog = onDemand(
  () => import('./project-dialogs').then((module) => module.NameDialog),
  ({ opened }) => opened,
  { opened: false },
);

const AccountTokensDialog = onDemand(
  () => import('../../tokens/account-tokens').then((module) => module.AccountTokensDialog),
  ({ opened }) => opened,
  { opened: false, account: null },
);

const MONEY_DECIMALS = 4;

const ACCOUNT_COLUMNS: Column<ServiceAccount>[] = [
  {
    key: 'name',
    header: 'Name',
    onCard: 'title',
    sortValue: ({ name }) => name.toLowerCase(),
    cell: ({ name }) => (
      <Text size="sm" fw={500} style={{ overflowWrap: 'anywhere' }}>
        {name}
      </Text>
    ),
  },
  {
    key: 'status',
    header: 'Status',
    cell: ({ disabled }) =>
      disabled ? <StatusBadge tone="neutral">Disabled</StatusBadge> : <StatusBadge tone="good">Active</StatusBadge>,
  },
  {
    key: 'keys',
    header: 'Active keys',
    align: 'right',
    sortValue: ({ keys }) => keys,
    cell: ({ keys }) => formatNumber(keys),
  },
  {
    key: 'spent',
    header: 'This month',
    align: 'right',
    sortValue: ({ spentThisMonth }) => spentThisMonth.costUsd,
    cell: ({ spentThisMonth }) => <Money usd={spentThisMonth.costUsd} decimals={MONEY_DECIMALS} />,
  },
  {
    key: 'created',
    header: 'Created',
    narrow: 'hide',
    sortValue: ({ createdAt }) => createdAt,
    cell: ({ createdAt }) => <RelativeTime value={createdAt} as="date" />,
  },
];

type Requested = 'new' | ServiceAccount;

/** The programs of a project that have their own keys. */
export function ServiceAccounts({ project: { id, canManage, archivedAt } }: { project: ProjectDetail }) {
  const query = useQuery(serviceAccountsQuery(id));
  const [requested, setRequested] = useState<Requested>('new');
  const [isOpen, setOpen] = useState(false);
  const [tokensOf, setTokensOf] = useState<ServiceAccount | null>(null);
  const [isShowingTokens, setShowingTokens] = useState(false);
  const canChange = canManage && archivedAt === null;
  const ask = (next: Requested) => {
    setRequested(next);
    setOpen(true);
  };
  const create = canChange && (
    <Button leftSection={<Plus size={16} aria-hidden="true" />} onClick={() => ask('new')}>
      Create service account
    </Button>
  );
  const isNew = requested === 'new';
  return (
    <>
      {query.data && query.data.length > 0 && create && (
        <Group justify="flex-end" mb="sm">
          {create}
        </Group>
      )}
      <DataTable
        label="service accounts"
        query={query}
        columns={ACCOUNT_COLUMNS}
        rowKey={(account) => account.id}
        rowLabel={({ name }) => name}
        menu={
          canChange
            ? (account, Menu) => (
                <>
                  <Menu.Item onClick={() => ask(account)}>Rename</Menu.Item>
                  <Menu.Item
                    onClick={() => {
                      setTokensOf(account);
                      setShowingTokens(true);
                    }}
                  >
                    Access tokens
                  </Menu.Item>
                  <Menu.Item onClick={() => void toggle(id, account)}>
                    {account.disabled ? 'Enable' : 'Disable'}
                  </Menu.Item>
                </>
              )
            : undefined
        }
        empty={
          <EmptyState icon={Bot} title="No service accounts yet" action={create}>
            A service account is a program with its own keys, such as a build pipeline. It needs no e-mail address and
            cannot sign in.
          </EmptyState>
        }
      />
      <NameDialog
        opened={isOpen}
        title={isNew ? 'Create a service account' : `Rename ${requested.name}`}
        description="What it is used for, for example Nightly import."
        name={isNew ? '' : requested.name}
        submitLabel={isNew ? 'Create' : 'Save'}
        onSubmit={(name) => (isNew ? createAccount(id, name) : updateAccount(id, requested.id, { name }))}
        onClose={() => setOpen(false)}
      />
      <AccountTokensDialog opened={isShowingTokens} account={tokensOf} onClose={() => setShowingTokens(false)} />
    </>
  );
}

/** Keys of a disabled service account are refused within a second. */
async function toggle(projectId: string, { id, name, disabled }: ServiceAccount): Promise<void> {
  try {
    await updateAccount(projectId, id, { disabled: !disabled });
    notifyDone(`${name} is ${disabled ? 'enabled' : 'disabled'}`);
  } catch (error) {
    notifyError(error);
  }
}
