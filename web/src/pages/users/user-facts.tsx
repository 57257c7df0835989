import { Card, Text, Title } from '@mantine/core';
import { CopyableId } from '../../kit/copyable-id';
import { Fact, Facts } from '../../kit/facts';
import { Money } from '../../kit/money';
import { formatNumber } from '../../kit/numbers';
import { RelativeTime } from '../../kit/relative-time';
import { SOURCE_NAMES, UserStatus } from './user-status';
import type { UserView } from './users-queries';

/** Who a user is. */
export function UserFacts({ user }: { user: UserView }) {
  const { id, email, project, name, role, plan, status, source, keys, spentThisMonth, lastSeenAt, createdAt } = user;
  return (
    <Card>
      <Title order={2} size="h2" mb="md">
        About
      </Title>
      <Facts>
        {email && <Fact name="E-mail">{email}</Fact>}
        {project && <Fact name="Project">{project.name}</Fact>}
        {name !== '' && <Fact name="Name">{name}</Fact>}
        <Fact name="Status">
          <UserStatus status={status} />
        </Fact>
        <Fact name="Role">{role === 'admin' ? 'Admin' : 'Member'}</Fact>
        <Fact name="Plan">
          <Plan plan={plan} />
        </Fact>
        <Fact name="Signs in with">{SOURCE_NAMES[source]}</Fact>
        <Fact name="Working keys">{formatNumber(keys)}</Fact>
        <Fact name="This month">
          <Money usd={spentThisMonth.costUsd} /> in {formatNumber(spentThisMonth.calls)} requests
        </Fact>
        <Fact name="Last seen">
          <RelativeTime value={lastSeenAt} />
        </Fact>
        <Fact name="Added">
          <RelativeTime value={createdAt} as="date" />
        </Fact>
        <Fact name="Id">
          <CopyableId value={id} what="user id" />
        </Fact>
      </Facts>
    </Card>
  );
}

function Plan({ plan: { name, since, until } }: Pick<UserView, 'plan'>) {
  return (
    <>
      {name}
      {since && (
        <Text size="xs" c="dimmed" component="div">
          since <RelativeTime value={since} as="date" />
          {until ? (
            <>
              {' '}
              until <RelativeTime value={until} as="date" />
            </>
          ) : (
            ', no end'
          )}
        </Text>
      )}
    </>
  );
}
