import { Code, Group } from '@mantine/core';
import { CopyButton } from './copy-button';
import classes from './copyable-id.module.css';

interface CopyableIdProps {
  value: string;
  /** What it names, for screen readers: "request id". */
  what: string;
}

/** An id in full, and a button that copies it. */
export function CopyableId({ value, what }: CopyableIdProps) {
  return (
    <Group gap={4} wrap="nowrap">
      <Code className={classes.id}>{value}</Code>
      <CopyButton value={value} what={what} size={13} />
    </Group>
  );
}
