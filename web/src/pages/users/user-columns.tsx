import { Badge, Group, Stack, Text } from '@mantine/core';
import { Bot, ShieldCheck } from 'lucide-react';
import type { Column } from '../../kit/data-table.types';
import { Money } from '../../kit/money';
import { formatNumber } from '../../kit/numbers';
import { RelativeTime } from '../../kit/relative-time';
import { SOURCE_NAMES, STATUS_NAMES, UserStatus } from './user-status';
import classes from './users.module.css';
import type { UserView } from './users-queries';

export const userColumns: Column<UserView>[] = [
  {
    key: 'email',
    header: 'User',
    sortValue: ({ email }) => email,
    onCard: 'title',
    cell: ({ email, name, kind }) => (
      <Stack gap={0} className={classes.user}>
        <Group gap={6} wrap="nowrap">
          {kind === 'service' && <Bot size={15} aria-hidden="true" className={classes.bot} />}
          <Text size="sm" fw={500} truncate>
            {email}
          </Text>
        </Group>
        {name && (
          <Text size="xs" c="dimmed" truncate>
            {name}
          </Text>
        )}
      </Stack>
    ),
  },
  {
    key: 'role',
    header: 'Role',
    sortValue: ({ role }) => role,
    cell: ({ role }) =>
      role === 'admin' ? (
        <span className={classes.admin}>
          <ShieldCheck size={14} aria-hidden="true" />
          Admin
        </span>
      ) : (
        'Member'
      ),
  },
  {
    key: 'plan',
    header: 'Plan',
    sortValue: ({ plan }) => plan.name,
    cell: ({ plan }) => (
      <div className={classes.plan}>
        <Badge color={plan.since ? 'iris' : 'gray'}>{plan.name}</Badge>
        {plan.until && (
          <Text size="xs" c="dimmed">
            until <RelativeTime value={plan.until} as="date" />
          </Text>
        )}
      </div>
    ),
  },
  {
    key: 'status',
    header: 'Status',
    sortValue: ({ status }) => STATUS_NAMES[status],
    cell: ({ status }) => <UserStatus status={status} />,
  },
  {
    key: 'source',
    header: 'Source',
    narrow: 'hide',
    sortValue: ({ source }) => SOURCE_NAMES[source],
    onCard: 'hide',
    cell: ({ source }) => <span className={classes.quiet}>{SOURCE_NAMES[source]}</span>,
  },
  {
    key: 'keys',
    header: 'Keys',
    narrow: 'hide',
    align: 'right',
    sortValue: ({ keys }) => keys,
    cell: ({ keys }) => formatNumber(keys),
  },
  {
    key: 'spent',
    header: 'This month',
    align: 'right',
    sortValue: ({ spentThisMonth }) => spentThisMonth.costUsd,
    cell: ({ spentThisMonth }) => <Money usd={spentThisMonth.costUsd} decimals={4} />,
  },
  {
    key: 'seen',
    header: 'Last seen',
    sortValue: ({ lastSeenAt }) => lastSeenAt,
    cell: ({ lastSeenAt, kind }) =>
      kind === 'service' ? <span className={classes.quiet}>No login</span> : <RelativeTime value={lastSeenAt} />,
  },
];
