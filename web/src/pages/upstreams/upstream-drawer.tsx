import { Drawer, Group, Stack } from '@mantine/core';
import { UpstreamFacts } from './upstream-facts';
import { UpstreamHealth } from './upstream-health';
import type { Upstream } from './upstreams-api';

interface UpstreamDrawerProps {
  /** Null closes the drawer. */
  upstream: Upstream | null;
  onClose: () => void;
}

/** The whole configuration of an upstream: variables, clocks and models. */
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
