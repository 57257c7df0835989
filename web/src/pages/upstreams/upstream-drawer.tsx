import { Drawer, Group, Stack } from '@mantine/core';
import { UpstreamFacts } from './upstream-facts';
import { UpstreamHealth } from './upstream-health';
import type { Upstream } from './upstreams-api';

interface UpstreamDrawerProps {
  /** Null keeps the drawer shut. */
  upstream: Upstream | null;
  onClose: () => void;
}

/** Everything that is configured of an upstream: its variables, clocks and models. */
export function UpstreamDrawer({ upstream, onClose }: UpstreamDrawerProps) {
  return (
    <Drawer
      opened={upstream !== null}
      onClose={onClose}
      title={upstream?.name}
      size="lg"
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {upstream && (
        <Stack gap="md">
          <Group>
            <UpstreamHealth health={upstream.health} />
          </Group>
          <UpstreamFacts upstream={upstream} />
        </Stack>
      )}
    </Drawer>
  );
}
