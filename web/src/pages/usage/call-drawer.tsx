import { Drawer, Skeleton, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { QueryStates } from '../../kit/query-states';
import { CallAttempts } from './call-attempts';
import { CallFacts } from './call-facts';
import type { ZoneChoice } from './range';
import classes from './usage.module.css';
import { callQuery } from './usage-queries';

interface CallDrawerProps {
  /** The id of the call to show; null closes the drawer. */
  id: string | null;
  zone: ZoneChoice;
  onClose: () => void;
}

/** One request with each attempt at an upstream. Its content is not stored, so not shown. */
export function CallDrawer({ id, zone, onClose }: CallDrawerProps) {
  const query = useQuery({ ...callQuery(id ?? ''), enabled: id !== null });
  return (
    <Drawer
      opened={id !== null}
      onClose={onClose}
      title="Request"
      classNames={{ title: classes.drawerTitle }}
      size="lg"
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <QueryStates query={query} skeleton={<CallSkeleton />}>
        {(call) => (
          <Stack gap="xl">
            <CallFacts call={call} zone={zone} />
            {call.status !== 'refused' && <CallAttempts call={call} />}
          </Stack>
        )}
      </QueryStates>
    </Drawer>
  );
}

function CallSkeleton() {
  return (
    <Stack gap="lg">
      <Skeleton h={24} w="40%" />
      <Skeleton h={220} />
      <Skeleton h={140} />
    </Stack>
  );
}
