import { Box, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import { isFirstPage } from '../kit/page';
import { GatewayBanner } from './gateway-banner';
import classes from './shell.module.css';

/** The logo: two ways in, one way out. */
export function Mark({ size = 26 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="8" fill="var(--mantine-color-irisScale-6)" />
      <g fill="none" stroke="#fff" strokeWidth="2.6" strokeLinecap="round">
        <path d="M6.5 10h5.2c4.6 0 4.6 6 9.3 6H25.5" />
        <path d="M6.5 22h5.2c4.6 0 4.6-6 9.3-6" />
      </g>
    </svg>
  );
}

export function Wordmark() {
  return (
    <Group gap={10} wrap="nowrap">
      <Mark />
      <Text fw={650} size="md" style={{ letterSpacing: '-0.015em' }}>
        Gateway
      </Text>
    </Group>
  );
}

interface EntranceProps {
  title: string;
  description?: ReactNode;
  children: ReactNode;
  /** Small print below the card. */
  below?: ReactNode;
}

/** A page without a session: one card below the logo. */
export function CardPage({ title, description, children, below }: EntranceProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · Gateway`;
  }, [title]);
  useEffect(() => {
    if (!isFirstPage()) heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <Box component="main" className={classes.entrance}>
      <Stack gap="xl" className={classes.column}>
        <Box className={classes.mark}>
          <Wordmark />
        </Box>
        <GatewayBanner />
        <Paper className={classes.card}>
          <Stack gap={6} mb="lg">
            <Title order={1} ref={heading} tabIndex={-1}>
              {title}
            </Title>
            {description && (
              <Text c="dimmed" component="div">
                {description}
              </Text>
            )}
          </Stack>
          {children}
        </Paper>
        {below}
      </Stack>
    </Box>
  );
}
