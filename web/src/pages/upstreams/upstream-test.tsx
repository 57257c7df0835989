import PlugZap from 'icon:plug-zap';
import { Button, Group, Text, VisuallyHidden } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { messageOf } from '../../api/api-error';
import { formatMs } from '../../kit/numbers';
import { StatusBadge } from '../../kit/status-badge';
import classes from './upstreams.module.css';
import { testUpstream, type Upstream, type UpstreamCall } from './upstreams-api';

/** Calls the upstream for real, and shows the result beside the button. */
export function UpstreamTest({ upstream: { name, state, models, variables } }: { upstream: Upstream }) {
  const test = useMutation({ mutationFn: () => testUpstream(name), gcTime: 0 });
  if (state !== 'live') {
    return (
      <Text size="xs" c="dimmed" className={classes.id}>
        {variables[0] ? `Set ${variables[0].join(' and ')}` : 'Unknown protocol'}
      </Text>
    );
  }
  if (models.length === 0) {
    return (
      <Text size="xs" c="dimmed">
        No model to call it with
      </Text>
    );
  }
  return (
    <Group gap="sm" className={classes.test}>
      <Button
        size="compact-sm"
        variant="default"
        leftSection={<PlugZap size={14} aria-hidden="true" />}
        loading={test.isPending}
        onClick={() => test.mutate()}
        aria-label={`Test connection to ${name}`}
      >
        Test
      </Button>
      <div role="status">
        {test.isPending && <VisuallyHidden>Testing {name}</VisuallyHidden>}
        {test.error && (
          <Text size="xs" c="var(--console-bad)">
            {messageOf(test.error)}
          </Text>
        )}
        {test.data?.calls.map((call) => (
          <CallResult key={`${call.key} ${call.kind}`} call={call} />
        ))}
      </div>
    </Group>
  );
}

function CallResult({ call: { key, kind, ok, ms, firstTokenMs, error, reason } }: { call: UpstreamCall }) {
  const name = `${key === null ? '' : `Key ${key}: `}${kind === 'json' ? 'JSON' : 'Stream'}`;
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
