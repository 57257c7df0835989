import { Box, Group, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import { isFirstPage } from './navigation-focus';
import classes from './page.module.css';

interface PageProps {
  title: string;
  /** One sentence about the purpose of the page. */
  description?: ReactNode;
  /** Buttons at the right of the title. */
  actions?: ReactNode;
  /** Shown before the title, for example a link back. */
  before?: ReactNode;
  children: ReactNode;
}

/** A page of the console: sets the document's title, has the h1, and focuses it after navigation. */
export function Page({ title, description, actions, before, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · Gateway`;
  }, [title]);
  useEffect(() => {
    if (!isFirstPage()) heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <Box className={classes.page}>
      {before}
      <Group justify="space-between" align="flex-start" gap="md" wrap="wrap" mb="lg">
        <Stack gap={4} className={classes.heading}>
          <Title order={1} ref={heading} tabIndex={-1}>
            {title}
          </Title>
          {description && (
            <Text c="dimmed" size="md" maw={680} component="div">
              {description}
            </Text>
          )}
        </Stack>
        {actions && <Group gap="xs">{actions}</Group>}
      </Group>
      {children}
    </Box>
  );
}
