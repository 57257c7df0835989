import { Button, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { CalendarClock, CircleSlash, Sparkles } from 'lucide-react';
import { useMemo } from 'react';
import { DataTable } from '../../kit/data-table';
import { EmptyState } from '../../kit/empty-state';
import { useNow } from '../../kit/use-now';
import { holderColumns } from './holder-columns';
import { holdersQuery, type PlanHolder, type PlanView } from './plans-api';

interface PlanHoldersProps {
  plan: PlanView;
  onGrant: () => void;
  onChangeEnd: (holder: PlanHolder) => void;
  onEnd: (holder: PlanHolder) => void;
}

const LATEST_FIRST = { key: 'since', descending: true };

/** Who was given a plan. */
export function PlanHolders({ plan, onGrant, onChangeEnd, onEnd }: PlanHoldersProps) {
  const query = useQuery(holdersQuery(plan.id));
  const now = useNow();
  const columns = useMemo(() => holderColumns(now), [now]);
  return (
    <section aria-label={`Who has ${plan.name}`}>
      <Title order={2} size="h2" mt="xl" mb="sm">
        Who has {plan.name}
      </Title>
      <DataTable
        label={`Users with ${plan.name}`}
        query={query}
        columns={columns}
        rowKey={({ userId, since }) => `${userId} ${since}`}
        rowLabel={({ email }) => email}
        defaultSort={LATEST_FIRST}
        searchText={searchTextOf}
        searchLabel="Search by e-mail or name"
        urlPrefix={`${plan.id}-`}
        menu={(holder, Menu) => (
          <>
            <Menu.Item leftSection={<CalendarClock size={15} aria-hidden="true" />} onClick={() => onChangeEnd(holder)}>
              Change the end
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
            title={`Nobody has ${plan.name} yet`}
            action={<Button onClick={onGrant}>Give to a user</Button>}
          >
            <Text size="sm" inherit>
              Its models show up for a user within a second of the grant.
            </Text>
          </EmptyState>
        }
      />
    </section>
  );
}

function searchTextOf({ email, name }: PlanHolder): string {
  return `${email} ${name}`;
}
