import { Text } from '@mantine/core';
import type { Column } from '../../kit/data-table.types';
import { RelativeTime } from '../../kit/relative-time';
import { StatusBadge } from '../../kit/status-badge';
import { formatRelative } from '../../kit/times';
import { sourceText } from './plan-words';
import type { PlanHolder } from './plans-api';

const SOON_MS = 7 * 86_400_000;

export const HOLDER_SORTS = ['user', 'since', 'until', 'source'] as const;

export function holderColumns(now: Date): Column<PlanHolder>[] {
  return [
    {
      key: 'user',
      header: 'User',
      onCard: 'title',
      isSortable: true,
      cell: ({ email, name }) => (
        <div>
          <Text size="sm" fw={500} truncate maw={320}>
            {email ?? name}
          </Text>
          {email && name && (
            <Text size="xs" c="dimmed" truncate maw={320}>
              {name}
            </Text>
          )}
        </div>
      ),
    },
    { key: 'status', header: 'Status', cell: (holder) => <HolderStatus holder={holder} now={now} /> },
    {
      key: 'since',
      header: 'Since',
      isSortable: true,
      cell: ({ since }) => <RelativeTime value={since} as="date" />,
    },
    {
      key: 'until',
      header: 'Until',
      isSortable: true,
      cell: ({ until }) => <RelativeTime value={until} as="date" never="No end" />,
    },
    { key: 'source', header: 'Granted by', isSortable: true, cell: sourceText },
  ];
}

function HolderStatus({ holder: { since, until, disabled }, now }: { holder: PlanHolder; now: Date }) {
  if (disabled) return <StatusBadge tone="neutral">User disabled</StatusBadge>;
  // The page's clock ticks slowly: a grant that was made since the last tick is not in the future.
  if (Date.parse(since) > Date.now()) return <StatusBadge tone="waiting">Scheduled</StatusBadge>;
  if (until && Date.parse(until) - now.getTime() < SOON_MS) {
    return <StatusBadge tone="warn">Ends {formatRelative(new Date(until), now)}</StatusBadge>;
  }
  return <StatusBadge tone="good">Active</StatusBadge>;
}
