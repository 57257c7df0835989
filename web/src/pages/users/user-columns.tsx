import Bot from 'icon:bot';
import ShieldCheck from 'icon:shield-check';
import { Badge, Group, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Column } from '../../kit/data-table.types';
import { Money } from '../../kit/money';
import { formatNumber } from '../../kit/numbers';
import { RelativeTime } from '../../kit/relative-time';
import { SOURCE_NAMES, UserStatus } from './user-status';
import classes from './users.module.css';
import type { UserView } from './users-queries';

export const USER_SORTS = ['email', 'role', 'plan', 'status', 'source', 'keys', 'spent', 'seen'] as const;

export const userColumns: Column<UserView>[] = [
  {
    key: 'email',
    header: 'User',
    isSortable: true,
    onCard: 'title',
    cell: ({ id, email, name, kind, project }) => (
      <Stack gap={0} className={classes.user}>
        <Group gap={6} wrap="nowrap">
          {kind === 'service' && <Bot size={15} aria-hidden="true" className={classes.bot} />}
          <Text size="sm" fw={500} truncate>
            <Link to="/users/$id" params={{ id }} className={classes.link}>
              {email ?? name}
            </Link>
          </Text>
        </Group>
        {(project || (email && name)) && (
          <Text size="xs" c="dimmed" truncate>
            {project ? `of the project ${project.name}` : name}
          </Text>
        )}
      </Stack>
    ),
  },
  {
    key: 'role',
    header: 'Role',
    isSortable: true,
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
    isSortable: true,
    cell: ({ plan }) => (
      <div className={classes.plan}>
        <Badge color={plan.since ? 'irisScale' : 'gray'}>{plan.name}</Badge>
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
    isSortable: true,
    cell: ({ status }) => <UserStatus status={status} />,
  },
  {
    key: 'source',
    header: 'Source',
    narrow: 'hide',
    isSortable: true,
    onCard: 'hide',
    cell: ({ source }) => <span className={classes.quiet}>{SOURCE_NAMES[source]}</span>,
  },
  {
    key: 'keys',
    header: 'Keys',
    narrow: 'hide',
    align: 'right',
    isSortable: true,
    cell: ({ keys }) => formatNumber(keys),
  },
  {
    key: 'spent',
    header: 'This month',
    align: 'right',
    isSortable: true,
    cell: ({ spentThisMonth }) => <Money usd={spentThisMonth.costUsd} decimals={4} />,
  },
  {
    key: 'seen',
    header: 'Last seen',
    isSortable: true,
    cell: ({ lastSeenAt, kind }) =>
      kind === 'service' ? <span className={classes.quiet}>Cannot sign in</span> : <RelativeTime value={lastSeenAt} />,
  },
];
