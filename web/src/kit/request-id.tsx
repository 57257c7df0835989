import { Code, Group, Text } from '@mantine/core';
import { CopyButton } from './copy-button';

/** The id with which a request can be found in the log. */
export function RequestId({ id }: { id: string }) {
  return (
    <Group gap={4} wrap="nowrap">
      <Text size="xs" c="dimmed">
        Request
      </Text>
      <Code fz="xs">{id}</Code>
      <CopyButton value={id} what="request id" size={13} />
    </Group>
  );
}
