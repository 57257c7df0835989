import Boxes from 'icon:boxes';
import { Badge, Stack, Text } from '@mantine/core';
import { useMemo } from 'react';
import { DataTable, type DataTableProps } from '../../kit/data-table';
import type { Column } from '../../kit/data-table-rows';
import { formatPercent } from '../../kit/numbers';
import { EmptyState } from '../../kit/states';
import { ModelHealth, StatusBadge } from '../../kit/status-badge';
import { NO_PRICE } from '../../kit/words';
import { asideText, type CatalogModel, keysAsideText, shareText, type Upstream } from './target-words';
import classes from './upstreams.module.css';

interface ModelsTableProps {
  query: DataTableProps<CatalogModel>['query'];
  upstreams: readonly Upstream[];
}

/** Every model of the catalog, with the upstreams that serve it and its status. */
export function ModelsTable({ query, upstreams }: ModelsTableProps) {
  const columns = useMemo(() => columnsFor(upstreams), [upstreams]);
  return (
    <DataTable
      label="Models"
      query={query}
      columns={columns}
      rowKey={({ id }) => id}
      rowLabel={({ id }) => id}
      searchText={searchTextOf}
      searchLabel="Search by model or upstream"
      empty={
        <EmptyState icon={Boxes} title="The catalog is empty">
          Add models to models.yaml.
        </EmptyState>
      }
    />
  );
}

function searchTextOf({ id, displayName, tier, targets }: CatalogModel): string {
  return [id, displayName, tier, ...targets.flatMap(({ upstream, model }) => [upstream, model])].join(' ');
}

function columnsFor(upstreams: readonly Upstream[]): Column<CatalogModel>[] {
  return [
    {
      key: 'model',
      header: 'Model',
      onCard: 'title',
      sortValue: ({ id }) => id,
      cell: ({ id, displayName }) => (
        <div>
          <Text size="sm" fw={500}>
            {displayName}
          </Text>
          <Text size="xs" c="dimmed" ff="monospace" className={classes.id}>
            {id}
          </Text>
        </div>
      ),
    },
    {
      key: 'tier',
      header: 'Tier',
      sortValue: ({ tier }) => tier,
      cell: ({ tier }) => <Badge color="gray">{tier}</Badge>,
    },
    {
      key: 'state',
      header: 'Status',
      sortValue: ({ state, health }) => (state === 'hidden' ? state : health?.status),
      cell: (model) => <ModelState model={model} upstreams={upstreams} />,
    },
    {
      key: 'cached',
      header: 'Cached input',
      narrow: 'hide',
      align: 'right',
      sortValue: ({ cachedShare }) => cachedShare,
      cell: ({ cachedShare }) => (cachedShare === null ? null : formatPercent(cachedShare)),
    },
    { key: 'targets', header: 'Served by', cell: (model) => <Targets model={model} /> },
  ];
}

function ModelState({ model, upstreams }: { model: CatalogModel; upstreams: readonly Upstream[] }) {
  const reason = reasonOf(model, upstreams);
  return (
    <div>
      {model.health && model.state !== 'hidden' ? (
        <ModelHealth health={model.health} />
      ) : (
        <StatusBadge tone="warn">Hidden</StatusBadge>
      )}
      {reason && (
        <Text size="xs" c="dimmed">
          {reason}
        </Text>
      )}
      {model.state === 'live' && !model.hasPrice && (
        <div>
          <StatusBadge tone="warn">{NO_PRICE}</StatusBadge>
        </div>
      )}
    </div>
  );
}

/** What a model lacks to be live. */
function reasonOf({ state, targets }: CatalogModel, upstreams: readonly Upstream[]): string | null {
  if (state === 'live') return null;
  const names = new Set(targets.map(({ upstream }) => upstream));
  const required = upstreams.filter(({ name }) => names.has(name)).flatMap(({ variables }) => variables[0] ?? []);
  return required.length > 0 ? `Set ${required.join(' or ')}` : 'Its upstream is not supported';
}

function Targets({ model: { targets } }: { model: CatalogModel }) {
  const hasOrder = new Set(targets.map(({ priority }) => priority)).size > 1;
  return (
    <Stack gap={4}>
      {targets.map((target) => {
        const { upstream, model, priority, live } = target;
        const whole = asideText(target);
        const aside = whole === null ? keysAsideText(target) : [whole];
        const facts = [
          hasOrder && `priority ${priority}`,
          shareText(target, targets),
          target.keys.length > 1 && `${target.keys.length} keys`,
          !live && targets.length > 1 && 'no credential',
        ];
        return (
          <Text key={`${upstream} ${model} ${priority}`} size="sm">
            {upstream}{' '}
            <Text span size="xs" c="dimmed" ff="monospace" className={classes.id}>
              {model}
            </Text>
            <Text span size="xs" c="dimmed">
              {facts.filter(Boolean).map((fact) => ` · ${fact}`)}
            </Text>
            {aside.map((text) => (
              <Text key={text} span size="xs" c="var(--console-warn)">
                {' '}
                · {text}
              </Text>
            ))}
          </Text>
        );
      })}
    </Stack>
  );
}
