import Bot from 'icon:bot';
import MailQuestionMark from 'icon:mail-question-mark';
import ShieldCheck from 'icon:shield-check';
import { Badge, Group, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Column } from '../../kit/data-table-rows';
import { Money, RelativeTime } from '../../kit/figures';
import { formatNumber } from '../../kit/numbers';
import { Select } from '../../kit/select';
import { StatusBadge } from '../../kit/status-badge';
import { useAddressCheck, useUrlValues } from '../../kit/url-state';
import type { UserView } from './user-actions';
import classes from './users.module.css';

const STATUS_NAMES: Record<UserView['status'], string> = {
  active: 'Active',
  invited: 'Invited',
  disabled: 'Disabled',
  forgotten: 'Forgotten',
};

export const SOURCE_NAMES: Record<UserView['source'], string> = {
  local: 'Password',
  oidc: 'Single sign-on',
  service: 'Service account',
};

export function UserStatus({ status }: { status: UserView['status'] }) {
  if (status === 'invited') {
    return (
      <StatusBadge tone="waiting" icon={MailQuestionMark}>
        {STATUS_NAMES.invited}
      </StatusBadge>
    );
  }
  return <StatusBadge tone={status === 'active' ? 'good' : 'bad'}>{STATUS_NAMES[status]}</StatusBadge>;
}

const ROLE_NAMES = { admin: 'Admin', member: 'Member' } as const;

const FILTERS = [
  { name: 'status', label: 'Status', all: 'Any status', names: STATUS_NAMES },
  { name: 'role', label: 'Role', all: 'Any role', names: ROLE_NAMES },
  { name: 'source', label: 'Source', all: 'Any source', names: SOURCE_NAMES },
] as const;

const RULES = Object.fromEntries(FILTERS.map(({ name, names }) => [name, Object.keys(names)]));

/** The filters of the list, as in the address. */
export function useUserFilters() {
  const [values, change] = useUrlValues();
  useAddressCheck(values, RULES);
  const { status, role, source } = values;
  const question = {
    ...(isOneOf(status, STATUS_NAMES) && { status: [status] }),
    ...(isOneOf(role, ROLE_NAMES) && { role }),
    ...(isOneOf(source, SOURCE_NAMES) && { source }),
  };
  return {
    values,
    change,
    /** In the gateway's format. */
    question,
    isFiltered: Object.keys(question).length > 0,
    clear: () => change({ status: undefined, role: undefined, source: undefined }),
  };
}

function isOneOf<Name extends string>(value: string | undefined, names: Record<Name, string>): value is Name {
  return value !== undefined && Object.hasOwn(names, value);
}

export function UserFilters({ values, change }: Pick<ReturnType<typeof useUserFilters>, 'values' | 'change'>) {
  return FILTERS.map(({ name, label, all, names }) => (
    <Select
      key={name}
      aria-label={label}
      className={classes.filter}
      data={[{ value: '', label: all }, ...Object.entries(names).map(([value, text]) => ({ value, label: text }))]}
      value={values[name] ?? ''}
      onChange={(value) => change({ [name]: value || undefined })}
      allowDeselect={false}
    />
  ));
}

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
