import TriangleAlert from 'icon:triangle-alert';
import { Group, Text } from '@mantine/core';
import { TextLink } from './links';
import { unpricedText } from './unpriced-text';

/** Shown below a sum of costs: the calls that it does not include because their models have no price. */
export function UnpricedNote({ calls }: { calls: number | undefined }) {
  if (!calls) return null;
  return (
    <Group gap={6} mt="xs" wrap="nowrap" align="flex-start">
      <TriangleAlert size={15} aria-hidden="true" color="var(--console-warn)" style={{ flex: 'none', marginTop: 2 }} />
      <Text size="sm">
        {unpricedText(calls)}{' '}
        <TextLink to="/models" inherit underline="always">
          See the models
        </TextLink>
      </Text>
    </Group>
  );
}
