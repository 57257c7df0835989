import KeyRound from 'icon:key-round';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { api, unwrap } from '../../api/client';
import type { components } from '../../api/schema';
import { DataTable } from '../../kit/data-table';
import type { Column } from '../../kit/data-table.types';
import { EmptyState } from '../../kit/empty-state';
import { TextLink } from '../../kit/links';
import { Money } from '../../kit/money';
import { RelativeTime } from '../../kit/relative-time';
import { Section } from '../../kit/section';
import { StatusBadge, type StatusTone } from '../../kit/status-badge';

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
export function UserKeys({ userId }: { userId: string }) {
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
