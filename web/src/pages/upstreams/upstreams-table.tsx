import Cable from 'icon:cable';
import { Text, UnstyledButton } from '@mantine/core';
import { useMemo } from 'react';
import { DataTable, type DataTableProps } from '../../kit/data-table';
import type { Column } from '../../kit/data-table.types';
import { EmptyState } from '../../kit/empty-state';
import { formatNumber, formatPercent } from '../../kit/numbers';
import { RelativeTime } from '../../kit/relative-time';
import { asideOf, asideText, type Target } from './target-words';
import { healthRank, UpstreamHealth } from './upstream-health';
import { UpstreamTest } from './upstream-test';
import classes from './upstreams.module.css';
import type { CatalogModel, Upstream } from './upstreams-api';

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
      cell: ({ name, health }) => (
        <div>
          <UpstreamHealth health={health} />
          <Aside targets={asideOf(name, models)} />
        </div>
      ),
    },
    {
      key: 'attempts',
      header: 'Calls in 24 h',
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

function Attempts({ upstream: { attempts, failures } }: { upstream: Upstream }) {
  if (attempts === 0) return <Nothing />;
  if (failures === 0) return formatNumber(attempts);
  return `${formatNumber(failures)} of ${formatNumber(attempts)} failed`;
}

function LastError({ upstream: { lastError } }: { upstream: Upstream }) {
  if (!lastError) return <Nothing />;
  const { at, code, status } = lastError;
  return (
    <div>
      <RelativeTime value={at} />
      <Text size="xs" c="dimmed" className={classes.code}>
        {status ? `${status} ${code}` : code}
      </Text>
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
