import { Text } from '@mantine/core';
import { formatUsd } from '../../kit/numbers';

/** Below the costs: what upstreams may bill in addition. */
export function UnchargedNote({ usd }: { usd: number | null | undefined }) {
  if (!usd) return null;
  return (
    <Text size="sm" mt="xs" c="dimmed">
      Upstreams may bill an estimated {formatUsd(usd)} more that nobody is charged for: failed attempts, attempts that
      lost to a hedge, and calls that their callers abandoned.
    </Text>
  );
}
