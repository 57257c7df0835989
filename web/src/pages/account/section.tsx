import { Card, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

interface SectionProps {
  title: string;
  description?: string;
  children: ReactNode;
}

/** A section of the account page. */
export function Section({ title, description, children }: SectionProps) {
  return (
    <Card component="section">
      <Stack gap={2} mb="md">
        <Title order={2}>{title}</Title>
        {description && (
          <Text c="dimmed" size="sm">
            {description}
          </Text>
        )}
      </Stack>
      {children}
    </Card>
  );
}
