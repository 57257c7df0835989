import ChevronLeft from 'icon:chevron-left';
import ChevronRight from 'icon:chevron-right';
import { ActionIcon, Drawer, Group, Skeleton, Stack } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { QueryStates } from '../../kit/query-states';
import type { ZoneChoice } from '../../kit/range';
import { useShortcuts } from '../../kit/use-shortcuts';
import { CallAttempts } from './call-attempts';
import { CallContent } from './call-content';
import { CallFacts } from './call-facts';
import classes from './requests.module.css';
import { callQuery } from './requests-queries';
import { UpstreamFailure } from './upstream-failure';
import type { Steps } from './use-steps';

interface CallDrawerProps {
  /** The id of the call to show; null closes the drawer. */
  id: string | null;
  zone?: ZoneChoice;
  onClose: () => void;
  steps: Steps;
}

/** One request with each attempt at an upstream, and its content if that is stored. */
export function CallDrawer({ id, zone = 'local', onClose, steps }: CallDrawerProps) {
  const query = useQuery({ ...callQuery(id ?? ''), enabled: id !== null, placeholderData: keepPreviousData });
  const step = (to: (() => void) | null) => () => {
    if (id !== null) to?.();
  };
  useShortcuts([
    ['ArrowLeft', step(steps.previous)],
    ['k', step(steps.previous)],
    ['ArrowRight', step(steps.next)],
    ['j', step(steps.next)],
  ]);
  return (
    <Drawer
      opened={id !== null}
      onClose={onClose}
      title={
        <Group gap="xs">
          Request
          <StepButton label="Newer request" run={steps.previous} icon={<ChevronLeft size={17} aria-hidden />} />
          <StepButton label="Older request" run={steps.next} icon={<ChevronRight size={17} aria-hidden />} />
        </Group>
      }
      classNames={{ title: classes.drawerTitle }}
      size="lg"
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <QueryStates query={query} skeleton={<CallSkeleton />}>
        {(call) => (
          <Stack gap="xl">
            <UpstreamFailure call={call} />
            <CallFacts call={call} zone={zone} />
            {call.status !== 'refused' && <CallAttempts call={call} />}
            {call.hasContent && <CallContent key={call.id} id={call.id} mayRead={call.mayReadContent} />}
          </Stack>
        )}
      </QueryStates>
    </Drawer>
  );
}

interface StepButtonProps {
  label: string;
  run: (() => void) | null;
  icon: React.ReactNode;
}

function StepButton({ label, run, icon }: StepButtonProps) {
  return (
    <ActionIcon aria-label={label} title={label} disabled={run === null} onClick={() => run?.()}>
      {icon}
    </ActionIcon>
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
