import { Group, Stack, Text, TextInput } from '@mantine/core';
import { CopyTextButton } from './copy-button';
import classes from './one-time-secret.module.css';

interface OneTimeSecretProps {
  /** Kept only in memory, never in the address, in storage or in a log. */
  value: string;
  label: string;
  description?: string;
  onCopied?: () => void;
}

/** A value that is shown only once: a click selects it, and a button copies it. */
export function OneTimeSecret({ value, label, description, onCopied }: OneTimeSecretProps) {
  return (
    <Stack gap={6}>
      <Group gap="xs" wrap="nowrap" align="flex-end">
        <TextInput
          className={classes.field}
          classNames={{ input: classes.input }}
          label={label}
          value={value}
          readOnly
          autoComplete="off"
          spellCheck={false}
          onFocus={(event) => event.currentTarget.select()}
          onCopy={onCopied}
        />
        <CopyTextButton value={value} autoFocus onCopied={onCopied} />
      </Group>
      {description && (
        <Text size="xs" c="dimmed">
          {description}
        </Text>
      )}
    </Stack>
  );
}
