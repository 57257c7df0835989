import Cable from 'icon:cable';
import PlugZap from 'icon:plug-zap';
import { Button, Group, Text, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useMemo } from 'react';
import { messageOf } from '../../api/api-error';
import { DataTable, type DataTableProps } from '../../kit/data-table';
import type { Column } from '../../kit/data-table-rows';
import { RelativeTime } from '../../kit/figures';
import { formatMs, formatNumber, formatPercent } from '../../kit/numbers';
import { EmptyState } from '../../kit/states';
import { StatusBadge, type StatusTone } from '../../kit/status-badge';
import {
  asideOf,
  asideText,
  type CatalogModel,
  faultText,
  type Target,
  testUpstream,
  type Upstream,
  type UpstreamCall,
} from './target-words';
import classes from './upstreams.module.css';

interface Health {
  tone: StatusTone;
  text: string;
  /** The most urgent comes first. */
  rank: number;
}

const HEALTHS: Record<Upstream['health'], Health> = {
  failing: { tone: 'bad', text: 'Failing', rank: 0 },
  healthy: { tone: 'good', text: 'Healthy', rank: 1 },
  unused: { tone: 'neutral', text: 'Unused', rank: 2 },
  no_credential: { tone: 'warn', text: 'No credential', rank: 3 },
};

/** How an upstream has answered in the last 24 hours, or why it was not called. */
export function UpstreamHealth({ health }: { health: Upstream['health'] }) {
  const { tone, text } = HEALTHS[health];
  return <StatusBadge tone={tone}>{text}</StatusBadge>;
}

function healthRank({ health }: Upstream): number {
  return HEALTHS[health].rank;
}

/** Calls the upstream for real, and shows the result beside the button. */
function UpstreamTest({ upstream: { name, state, models, variables } }: { upstream: Upstream }) {
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
        {[...new Set(test.data?.calls.map(({ warning }) => warning))].map(
          (warning) =>
            warning && (
              <Text key={warning} size="xs" c="var(--console-warn)" className={classes.error}>
                {warning}
              </Text>
            ),
        )}
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

interface UpstreamsTableProps {
  query: DataTableProps<Upstream>['query'];
  models: readonly CatalogModel[];
  onOpen: (name: string) => void;
}

/** Every configured upstream, failing ones first. */
export function UpstreamsTable({ query, models, onOpen }: UpstreamsTableProps) {
  const columns = useMemo(() => columnsFor(models, onOpen), [models, onOpen]);
  return (
    <DataTable
      label="Upstreams"
      query={query}
      columns={columns}
      rowKey={({ name }) => name}
      rowLabel={({ name }) => name}
      defaultSort={{ key: 'health', descending: false }}
      onRowClick={({ name }) => onOpen(name)}
      empty={
        <EmptyState icon={Cable} title="There are no upstreams">
          Add upstreams to upstreams.yaml.
        </EmptyState>
      }
    />
  );
}

function columnsFor(models: readonly CatalogModel[], open: (name: string) => void): Column<Upstream>[] {
  return [
    {
      key: 'name',
      header: 'Upstream',
      onCard: 'title',
      sortValue: ({ name }) => name,
      cell: ({ name, baseUrl }) => (
        <div className={classes.upstream}>
          <UnstyledButton className={classes.name} title={`Details of ${name}`} onClick={() => open(name)}>
            {name}
          </UnstyledButton>
          <Text size="xs" c="dimmed" truncate title={baseUrl}>
            {baseUrl.replace(/^https?:\/\//, '')}
          </Text>
        </div>
      ),
    },
    {
      key: 'health',
      header: 'Health',
      sortValue: healthRank,
      cell: ({ name, health, faults }) => (
        <div>
          <UpstreamHealth health={health} />
          <Aside targets={asideOf(name, models)} />
          <UpstreamFaults faults={faults} />
        </div>
      ),
    },
    {
      key: 'attempts',
      header: 'Last 24 h',
      sortValue: ({ failures }) => failures,
      cell: (upstream) => <Attempts upstream={upstream} />,
    },
    {
      key: 'cached',
      header: 'Cached input',
      narrow: 'hide',
      align: 'right',
      sortValue: ({ cachedShare }) => cachedShare,
      cell: ({ cachedShare }) => (cachedShare === null ? <Nothing /> : formatPercent(cachedShare)),
    },
    {
      key: 'error',
      header: 'Last error',
      sortValue: ({ lastError }) => lastError?.at,
      cell: (upstream) => <LastError upstream={upstream} />,
    },
    {
      key: 'models',
      header: 'Models',
      narrow: 'hide',
      onCard: 'hide',
      align: 'right',
      sortValue: ({ models }) => models.length,
      cell: ({ models }) => formatNumber(models.length),
    },
    { key: 'test', header: 'Connection', cell: (upstream) => <UpstreamTest upstream={upstream} /> },
  ];
}

/** The models that are set aside, of which only the last to return is named; the table of models lists all. */
function Aside({ targets }: { targets: readonly Target[] }) {
  const [last, ...others] = targets;
  const text = last && asideText(last);
  if (!text) return null;
  const whose = last.asideReason === 'refused' ? '' : `${last.model} is `;
  return (
    <Text size="xs" c="var(--console-warn)">
      {whose || 'All of it is '}
      {text}
      {whose !== '' && others.length > 0 && `; ${formatNumber(others.length)} more`}
    </Text>
  );
}

/** Why it does not answer, until it does. */
export function UpstreamFaults({ faults }: Pick<Upstream, 'faults'>) {
  return faults.map((fault) => (
    <Text key={fault.key} size="xs" c="var(--console-bad)" className={classes.error}>
      {fault.key !== null && `Key ${fault.key}: `}
      {faultText(fault)} (since <RelativeTime value={fault.since} />)
    </Text>
  ));
}

function Attempts({ upstream: { attempts, failures } }: { upstream: Upstream }) {
  if (attempts === 0) return <Nothing />;
  if (failures === 0) return formatNumber(attempts);
  return `${formatNumber(failures)} of ${formatNumber(attempts)} failed`;
}

function LastError({ upstream: { lastError } }: { upstream: Upstream }) {
  if (!lastError) return <Nothing />;
  const { at, code, status, message } = lastError;
  return (
    <div>
      <RelativeTime value={at} />
      <Text size="xs" c="dimmed" className={classes.code}>
        {status ? `${status} ${code}` : code}
      </Text>
      {message && (
        <Text size="xs" c="dimmed" className={classes.error} lineClamp={2} title={message}>
          {message}
        </Text>
      )}
    </div>
  );
}

function Nothing() {
  return (
    <Text span c="dimmed" inherit data-nothing>
      None
    </Text>
  );
}
