import { Text } from '@mantine/core';
import { formatUsd } from '../../kit/numbers';

/** Shown below the costs: the additional amount that upstreams may bill. */
export function UnchargedNote({ usd }: { usd: number | null | undefined }) {
  if (!usd) return null;
  return (
    <Text size="sm" mt="xs" c="dimmed">
      Upstreams may bill an estimated {formatUsd(usd)} more that no caller is charged for: failed attempts, attempts
      that lost to a hedge, and calls that their callers aborted.
    </Text>
  );
}
