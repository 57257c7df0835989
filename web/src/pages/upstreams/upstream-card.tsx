import { Card, Group, Text, Title } from '@mantine/core';
import { CopyButton } from '../../kit/copy-button';
import { StatusBadge, type StatusTone } from '../../kit/status-badge';
import { UpstreamFacts } from './upstream-facts';
import { UpstreamTestPanel } from './upstream-test-panel';
import classes from './upstreams.module.css';
import type { Upstream } from './upstreams-api';

const STATES: Record<Upstream['state'], { tone: StatusTone; text: string }> = {
  live: { tone: 'good', text: 'Live' },
  no_credential: { tone: 'warn', text: 'No credential' },
  no_adapter: { tone: 'bad', text: 'Not supported' },
};

/** One upstream: where it is, whether it can be called, how it did lately, and a way to try it. */
export function UpstreamCard({ upstream }: { upstream: Upstream }) {
  const { name, protocol, baseUrl, state } = upstream;
  const { tone, text } = STATES[state];
  return (
    <Card component="section" aria-label={`Upstream ${name}`} className={classes.card}>
      <Group justify="space-between" wrap="nowrap" gap="xs">
        <Group gap="xs" wrap="nowrap" miw={0}>
          <Title order={2} size="md" className={classes.name}>
            {name}
          </Title>
          {protocol !== name && (
            <Text size="xs" c="dimmed">
              speaks {protocol}
            </Text>
          )}
        </Group>
        <StatusBadge tone={tone}>{text}</StatusBadge>
      </Group>
      <Group gap={4} wrap="nowrap" mt={4} mb="md">
        <Text size="xs" c="dimmed" ff="monospace" truncate title={baseUrl}>
          {baseUrl}
        </Text>
        <CopyButton value={baseUrl} what={`base URL of ${name}`} size={13} />
      </Group>
      <UpstreamFacts upstream={upstream} />
      <UpstreamTestPanel upstream={upstream} />
    </Card>
  );
}
