import { Stack } from '@mantine/core';
import type { Rate } from '../api/limits';
import { LevelBar } from './level-bar';
import { LIMIT_LABELS } from './limits';
import { formatNumber } from './numbers';
import { RelativeTime } from './relative-time';

export function usedShare({ limit, used }: Rate): number {
  return used / limit;
}

/** How much of each rate and of the concurrent requests is used and left, and when a rate is fully available. */
export function RateBars({ rates }: { rates: readonly Rate[] }) {
  return (
    <Stack gap="md">
      {rates.map((rate) => (
        <RateBar key={rate.name} rate={rate} />
      ))}
    </Stack>
  );
}

/** "12 of 60 used · 48 left", "2 of 3 running · 1 free" */
export function rateText({ name, limit, used }: Rate): string {
  const left = formatNumber(Math.max(0, limit - used));
  const share = `${formatNumber(used)} of ${formatNumber(limit)}`;
  return name === 'concurrentCalls' ? `${share} running · ${left} free` : `${share} used · ${left} left`;
}

function RateBar({ rate }: { rate: Rate }) {
  const { name, used, fullAt } = rate;
  const title = LIMIT_LABELS[name];
  return (
    <LevelBar title={title} text={rateText(rate)} share={usedShare(rate)} name={title} verb="used">
      {fullAt && used > 0 && (
        <>
          Fully available <RelativeTime value={fullAt} />
        </>
      )}
    </LevelBar>
  );
}
