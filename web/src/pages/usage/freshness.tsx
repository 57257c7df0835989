import RotateCw from 'icon:rotate-cw';
import { ActionIcon, Group, Text } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { formatMs } from '../../kit/numbers';
import type { ZoneChoice } from '../../kit/range';
import { formatClock } from '../../kit/times';
import { Tip } from '../../kit/tip';
import type { UsageReport } from './to-series';
import classes from './usage.module.css';

interface FreshnessProps {
  report: Pick<UseQueryResult<UsageReport>, 'data' | 'isLoadingError' | 'isFetching' | 'refetch'>;
  zone: ZoneChoice;
}

/** The time up to which the numbers are complete, and a button to load newer ones. */
export function Freshness({ report: { data, isLoadingError, isFetching, refetch }, zone }: FreshnessProps) {
  return (
    <Group gap={4} mih={28}>
      <Text span inherit>
        {data && `Up to date as of ${clock(data.upToDateAt, zone)}${behind(data.replicaLagSeconds)}`}
        {!data && (isLoadingError ? 'No data available' : 'Loading the latest data…')}
      </Text>
      <Tip label="Load the latest data">
        <ActionIcon aria-label="Load the latest data" disabled={isFetching} onClick={() => refetch()}>
          <RotateCw size={14} aria-hidden className={isFetching ? classes.turning : undefined} />
        </ActionIcon>
      </Tip>
    </Group>
  );
}

/** For a replica that lags; its lag is known to within two seconds. */
function behind(seconds: number | null): string {
  return seconds === null || seconds <= 2 ? '' : ` · read from a replica, ${formatMs(seconds * 1000)} behind`;
}

function clock(at: string, zone: ZoneChoice): string {
  const time = formatClock(new Date(at), zone);
  return zone === 'utc' ? `${time} UTC` : time;
}
