import CalendarClock from 'icon:calendar-clock';
import CircleSlash from 'icon:circle-slash';
import Sparkles from 'icon:sparkles';
import { Button, Text, Title } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { EmptyState } from '../../kit/empty-state';
import { ListTable } from '../../kit/list-table';
import { useListView } from '../../kit/use-list-view';
import { useNow } from '../../kit/use-now';
import { userLabel } from '../../kit/user-label';
import { HOLDER_SORTS, holderColumns } from './holder-columns';
import { holdersQuery, type PlanHolder, type PlanView } from './plans-api';

interface PlanHoldersProps {
  plan: PlanView;
  onGrant: () => void;
  onChangeEnd: (holder: PlanHolder) => void;
  onEnd: (holder: PlanHolder) => void;
}

/** The users of a plan. */
export function PlanHolders({ plan, onGrant, onChangeEnd, onEnd }: PlanHoldersProps) {
  const view = useListView({ sorts: HOLDER_SORTS, defaultSort: '-since', urlPrefix: `${plan.id}-` });
  const query = useInfiniteQuery(holdersQuery(plan.id, view.query));
  const now = useNow();
  const columns = useMemo(() => holderColumns(now), [now]);
  return (
    <section aria-label={`Users with ${plan.name}`}>
      <Title order={2} size="h2" mt="xl" mb="sm">
        Who has {plan.name}
      </Title>
      <ListTable
        label={`Users with ${plan.name}`}
        query={query}
        view={view}
        columns={columns}
        rowKey={({ userId, since }) => `${userId} ${since}`}
        rowLabel={userLabel}
        searchLabel="Search by e-mail or name"
        menu={(holder, Menu) => (
          <>
            <Menu.Item leftSection={<CalendarClock size={15} aria-hidden="true" />} onClick={() => onChangeEnd(holder)}>
              Change end date
            </Menu.Item>
            <Menu.Item
              color="red"
              leftSection={<CircleSlash size={15} aria-hidden="true" />}
              onClick={() => onEnd(holder)}
            >
              End it now
            </Menu.Item>
          </>
        )}
        empty={
          <EmptyState
            icon={Sparkles}
            title={`No user has ${plan.name} yet`}
            action={<Button onClick={onGrant}>Grant to a user</Button>}
          >
            <Text size="sm" inherit>
              Users can call the plan’s models within a second of the grant.
            </Text>
          </EmptyState>
        }
      />
    </section>
  );
}
