import Bot from 'icon:bot';
import Plus from 'icon:plus';
import { Button, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type ProjectDetail, type ServiceAccount, serviceAccountsQuery } from '../../api/projects';
import { DataTable } from '../../kit/data-table';
import type { Column } from '../../kit/data-table.types';
import { EmptyState } from '../../kit/empty-state';
import { Money } from '../../kit/money';
import { notifyDone, notifyError } from '../../kit/notify';
import { formatNumber } from '../../kit/numbers';
import { onDemand } from '../../kit/on-demand';
import { RelativeTime } from '../../kit/relative-time';
import { StatusBadge } from '../../kit/status-badge';
import { createAccount, updateAccount } from './project-api';

const NameDialog = onDemand(
  () => import('./name-dialog').then((module) => module.NameDialog),
  ({ opened }) => opened,
  { opened: false },
);

const MONEY_DECIMALS = 4;

const COLUMNS: Column<ServiceAccount>[] = [
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

type Asked = 'new' | ServiceAccount;

/** The programs of a project that have their own keys. */
export function ServiceAccounts({ project: { id, canManage, archivedAt } }: { project: ProjectDetail }) {
  const query = useQuery(serviceAccountsQuery(id));
  const [asked, setAsked] = useState<Asked>('new');
  const [isOpen, setOpen] = useState(false);
  const canChange = canManage && archivedAt === null;
  const ask = (next: Asked) => {
    setAsked(next);
    setOpen(true);
  };
  const create = canChange && (
    <Button leftSection={<Plus size={16} aria-hidden="true" />} onClick={() => ask('new')}>
      Create service account
    </Button>
  );
  const isNew = asked === 'new';
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
        columns={COLUMNS}
        rowKey={(account) => account.id}
        rowLabel={({ name }) => name}
        menu={
          canChange
            ? (account, Menu) => (
                <>
                  <Menu.Item onClick={() => ask(account)}>Rename</Menu.Item>
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
        title={isNew ? 'Create a service account' : `Rename ${asked.name}`}
        description="What it is used for, for example Nightly import."
        name={isNew ? '' : asked.name}
        submitLabel={isNew ? 'Create' : 'Save'}
        onSubmit={(name) => (isNew ? createAccount(id, name) : updateAccount(id, asked.id, { name }))}
        onClose={() => setOpen(false)}
      />
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
