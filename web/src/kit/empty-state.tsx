import { Stack, Text, ThemeIcon, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Icon } from '../icons/icon';

interface EmptyStateProps {
  icon: Icon;
  title: string;
  /** Why it is empty, and what to do about it. */
  children?: ReactNode;
  action?: ReactNode;
}

/** Explains why there are no items, and the next step. */
export function EmptyState({ icon: Icon, title, children, action }: EmptyStateProps) {
  return (
    <Stack align="center" gap="xs" py={56} px="md" ta="center">
      <ThemeIcon size={44} radius="lg" variant="light" color="gray" mb={4}>
        <Icon size={21} strokeWidth={1.75} aria-hidden="true" />
      </ThemeIcon>
      <Title order={2} size="h2">
        {title}
      </Title>
      {children && (
        <Text c="dimmed" size="sm" maw={440} component="div">
          {children}
        </Text>
      )}
      {action && <div style={{ marginTop: '0.75rem' }}>{action}</div>}
    </Stack>
  );
}
