import { Text } from '@mantine/core';
import { formatUsd } from '../../kit/numbers';

/** Below the costs: what upstreams may bill beside them. */
export function UnchargedNote({ usd }: { usd: number | null | undefined }) {
  if (!usd) return null;
  return (
    <Text size="sm" mt="xs" c="dimmed">
      Upstreams may bill another {formatUsd(usd)}, by an estimate, which nobody is charged: for attempts that failed or
      came second, and for calls that their callers left.
    </Text>
  );
}
