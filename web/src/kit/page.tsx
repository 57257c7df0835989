import { Box, Group, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import { isFirstPage } from './navigation-focus';
import classes from './page.module.css';

interface PageProps {
  title: string;
  /** One sentence on what the page is for. */
  description?: ReactNode;
  /** Buttons at the right of the title. */
  actions?: ReactNode;
  /** What stands before the title: a link back, for one. */
  before?: ReactNode;
  children: ReactNode;
}

/** A page of the console: names the document, holds the one h1, and takes the focus there when one navigates to it. */
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
