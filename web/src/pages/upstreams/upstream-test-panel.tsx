import { Button, Stack, Text, VisuallyHidden } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { PlugZap } from 'lucide-react';
import { messageOf } from '../../api/api-error';
import { formatMs } from '../../kit/numbers';
import { StatusBadge } from '../../kit/status-badge';
import classes from './upstreams.module.css';
import { testUpstream, type Upstream, type UpstreamCall } from './upstreams-api';

/** Calls the upstream for real, and tells how that went. */
export function UpstreamTestPanel({ upstream: { name, state, models } }: { upstream: Upstream }) {
  const test = useMutation({ mutationFn: () => testUpstream(name), gcTime: 0 });
  if (state !== 'live') return null;
  return (
    <div className={classes.test}>
      <Button
        size="xs"
        variant="default"
        leftSection={<PlugZap size={14} aria-hidden="true" />}
        loading={test.isPending}
        disabled={models.length === 0}
        onClick={() => test.mutate()}
        aria-label={`Test connection to ${name}`}
      >
        Test connection
      </Button>
      {models.length === 0 && (
        <Text size="xs" c="dimmed" mt={6}>
          A model in models.yaml is needed to call it.
        </Text>
      )}
      <div role="status">
        {test.isPending && <VisuallyHidden>Testing {name}</VisuallyHidden>}
        {test.error && (
          <Text size="xs" c="var(--console-bad)" mt="xs">
            {messageOf(test.error)}
          </Text>
        )}
        {test.data && (
          <Stack gap={6} mt="sm">
            {test.data.calls.map((call) => (
              <CallResult key={call.kind} call={call} />
            ))}
          </Stack>
        )}
      </div>
    </div>
  );
}

function CallResult({ call: { kind, ok, ms, firstTokenMs, error, reason } }: { call: UpstreamCall }) {
  const name = kind === 'json' ? 'JSON' : 'Stream';
  const first = kind === 'stream' && firstTokenMs !== null ? `, first token after ${formatMs(firstTokenMs)}` : '';
  return (
    <div>
      <StatusBadge tone={ok ? 'good' : 'bad'}>
        {name} {ok ? 'works' : 'failed'} · {formatMs(ms)}
        {first}
      </StatusBadge>
      {error && (
        <Text size="xs" c="dimmed" className={classes.error}>
          {reason ?? error}
        </Text>
      )}
    </div>
  );
}
