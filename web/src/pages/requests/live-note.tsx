import ArrowUp from 'icon:arrow-up';
import { Button, Group, Text } from '@mantine/core';
import { formatNumber } from '../../kit/numbers';
import type { ZoneChoice } from '../../kit/range';
import { formatClock } from '../../kit/times';
import classes from './requests.module.css';
import type { LiveRequests } from './use-live-requests';

interface LiveNoteProps {
  live: LiveRequests;
  zone: ZoneChoice;
}

/** The time of the list, and whether it goes on by itself. */
export function LiveNote({ live: { upToDateAt, isLive, isPaused, hasFailed, list }, zone }: LiveNoteProps) {
  const goesOn = isLive && !isPaused && !hasFailed;
  return (
    <Group gap={8} mih={28}>
      {goesOn && <span className={classes.live} aria-hidden />}
      <Text span inherit>
        {upToDateAt === null && (list.isError ? 'No data available' : 'Loading the latest requests…')}
        {isPaused && 'Paused, the gateway does not answer. '}
        {upToDateAt !== null && `${goesOn ? 'Live. ' : ''}Up to date as of ${clock(upToDateAt, zone)}`}
        {hasFailed && !isPaused && '. New requests could not be loaded; trying again.'}
      </Text>
    </Group>
  );
}

/** New requests that would move the list; a click shows them. */
export function PendingPill({ live: { pending, showPending }, onShow }: { live: LiveRequests; onShow: () => void }) {
  return (
    <div className={classes.pill} role="status">
      {pending && (
        <Button
          size="compact-sm"
          radius="xl"
          leftSection={<ArrowUp size={14} aria-hidden />}
          onClick={() => {
            showPending();
            onShow();
          }}
        >
          {formatNumber(pending.count)}
          {pending.isAll ? '' : '+'} new
        </Button>
      )}
    </div>
  );
}

function clock(at: string, zone: ZoneChoice): string {
  const time = formatClock(new Date(at), zone);
  return zone === 'utc' ? `${time} UTC` : time;
}
