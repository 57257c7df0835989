import { Button, Code, Drawer, Group, Stack, Text } from '@mantine/core';
import { CopyButton } from '../../kit/copy-button';
import { TextLink } from '../../kit/links';
import { Money } from '../../kit/money';
import { formatNumber } from '../../kit/numbers';
import { RelativeTime } from '../../kit/relative-time';
import { userLabel } from '../../kit/user-label';
import { type UserActionKind, userActions } from './user-actions';
import { UserLimitsFacts } from './user-limits-facts';
import { SOURCE_NAMES, UserStatus } from './user-status';
import classes from './users.module.css';
import type { UserView } from './users-queries';

interface UserDrawerProps {
  user: UserView | undefined;
  onClose: () => void;
  onAction: (kind: UserActionKind, user: UserView) => void;
}

export function UserDrawer({ user, onClose, onAction }: UserDrawerProps) {
  return (
    <Drawer opened={user !== undefined} onClose={onClose} title={user ? user.name || userLabel(user) : ''} size="md">
      {user && (
        <Stack gap="xl">
          <Facts user={user} />
          <UserLimitsFacts userId={user.id} />
          <Group gap="xs">
            {userActions(user).map(({ kind, label, isDangerous }) => (
              <Button
                key={kind}
                size="xs"
                variant={isDangerous ? 'light' : 'default'}
                color={isDangerous ? 'red' : undefined}
                onClick={() => onAction(kind, user)}
              >
                {label}
              </Button>
            ))}
          </Group>
        </Stack>
      )}
    </Drawer>
  );
}

function Facts({ user }: { user: UserView }) {
  const { id, email, project, role, plan, status, source, keys, spentThisMonth, lastSeenAt, createdAt } = user;
  return (
    <dl className={classes.facts}>
      <dt>{project ? 'Project' : 'E-mail'}</dt>
      <dd>{project ? project.name : email}</dd>
      <dt>Status</dt>
      <dd>
        <UserStatus status={status} />
      </dd>
      <dt>Role</dt>
      <dd>{role === 'admin' ? 'Admin' : 'Member'}</dd>
      <dt>Plan</dt>
      <dd>
        {plan.name}
        {plan.since && (
          <Text size="xs" c="dimmed" component="div">
            since <RelativeTime value={plan.since} as="date" />
            {plan.until ? (
              <>
                {' '}
                until <RelativeTime value={plan.until} as="date" />
              </>
            ) : (
              ', no end'
            )}
          </Text>
        )}
      </dd>
      <dt>Signs in by</dt>
      <dd>{SOURCE_NAMES[source]}</dd>
      <dt>Working keys</dt>
      <dd>{formatNumber(keys)}</dd>
      <dt>This month</dt>
      <dd>
        <Money usd={spentThisMonth.costUsd} /> in {formatNumber(spentThisMonth.calls)} requests{' · '}
        <TextLink size="sm" to="/usage" search={{ users: id, scope: 'all' }}>
          Usage
        </TextLink>
      </dd>
      <dt>Last seen</dt>
      <dd>
        <RelativeTime value={lastSeenAt} />
      </dd>
      <dt>Added</dt>
      <dd>
        <RelativeTime value={createdAt} as="date" />
      </dd>
      <dt>Id</dt>
      <dd>
        <Group gap={4} wrap="nowrap">
          <Code fz="xs">{id}</Code>
          <CopyButton value={id} what="user id" />
        </Group>
      </dd>
    </dl>
  );
}
