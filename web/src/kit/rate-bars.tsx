import { Group, Progress, Stack, Text } from '@mantine/core';
import type { Rate } from '../api/limits';
import { LIMIT_LABELS } from './limits';
import { formatNumber, formatPercent } from './numbers';
import { RelativeTime } from './relative-time';

export function usedShare({ limit, used }: Rate): number {
  return used / limit;
}

/** How much of each rate and of the places is in use and left now, and when a rate is free again. */
export function RateBars({ rates }: { rates: readonly Rate[] }) {
  return (
    <Stack gap="md">
      {rates.map((rate) => (
        <RateBar key={rate.name} rate={rate} />
      ))}
    </Stack>
  );
}

/** "12 of 60 used · 48 left", "2 of 3 under way · 1 free" */
export function rateText({ name, limit, used }: Rate): string {
  const left = formatNumber(Math.max(0, limit - used));
  const share = `${formatNumber(used)} of ${formatNumber(limit)}`;
  return name === 'concurrentCalls' ? `${share} under way · ${left} free` : `${share} used · ${left} left`;
}

function RateBar({ rate }: { rate: Rate }) {
  const { name, used, fullAt } = rate;
  const share = usedShare(rate);
  return (
    <div>
      <Group justify="space-between" gap="xs" mb={4}>
        <Text size="sm" fw={500}>
          {LIMIT_LABELS[name]}
        </Text>
        <Text size="sm">{rateText(rate)}</Text>
      </Group>
      <Progress
        value={Math.min(100, share * 100)}
        color={share >= 1 ? 'red' : undefined}
        aria-label={`${LIMIT_LABELS[name]}: ${formatPercent(share)} used`}
      />
      {fullAt && used > 0 && (
        <Text size="xs" c="dimmed" mt={4}>
          All of it is free again <RelativeTime value={fullAt} />
        </Text>
      )}
    </div>
  );
}
