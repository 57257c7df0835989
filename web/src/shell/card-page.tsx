import { Box, Paper, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import { isFirstPage } from '../kit/navigation-focus';
import classes from './card-page.module.css';
import { GatewayBanner } from './gateway-banner';
import { Wordmark } from './logo';

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
