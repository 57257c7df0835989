import { Group, Stack } from '@mantine/core';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { ModelView } from '../../api/lists';
import { CopyButton } from '../../kit/copy-button';
import { DataTable } from '../../kit/data-table';
import type { Column } from '../../kit/data-table-rows';
import { Quantity } from '../../kit/figures';
import { formatMs, formatNumber, formatPrice } from '../../kit/numbers';
import { Capabilities, ModelState, PriceOptions, PriceState, Tier } from './model-badges';
import {
  failuresText,
  isUnpriced,
  type ModelActivity,
  modelActivityQuery,
  priceText,
  SPEED_ABOUT,
  speedBasis,
  speedText,
  successText,
} from './model-text';
import classes from './models.module.css';

/** `activity`: without requests in the last 24 hours there is none. */
type Row = ModelView & { activity?: ModelActivity | undefined };

const columns: Column<Row>[] = [
  {
    key: 'name',
    header: 'Model',
    onCard: 'title',
    sortValue: ({ displayName }) => displayName,
    cell: (model) => <Name model={model} />,
  },
  { key: 'tier', header: 'Tier', sortValue: ({ tier }) => tier, cell: ({ tier }) => <Tier tier={tier} /> },
  {
    key: 'context',
    header: 'Context',
    align: 'right',
    sortValue: ({ contextLength }) => contextLength,
    cell: (model) => <Context model={model} />,
  },
  {
    key: 'can',
    header: 'Features',
    narrow: 'hide',
    cell: (model) => (
      <div className={classes.features}>
        <Capabilities model={model} />
        <PriceOptions model={model} />
      </div>
    ),
  },
  {
    key: 'input',
    header: 'Input / 1M',
    align: 'right',
    sortValue: ({ price }) => price.inputUsdPerMTok,
    cell: (model) => <InputPrice model={model} />,
  },
  {
    key: 'output',
    header: 'Output / 1M',
    align: 'right',
    sortValue: ({ price }) => price.outputUsdPerMTok,
    cell: (model) => (model.kind === 'chat' ? priceText(model, model.price.outputUsdPerMTok) : '–'),
  },
  {
    key: 'requests',
    header: 'Last 24 h',
    align: 'right',
    narrow: 'wide',
    sortValue: ({ activity }) => activity?.requests ?? 0,
    cell: ({ activity }) => <Requests activity={activity} />,
  },
  {
    key: 'first',
    header: 'First token',
    align: 'right',
    narrow: 'hide',
    sortValue: ({ activity }) => activity?.p50FirstTokenMs,
    cell: ({ activity }) => <FirstToken activity={activity} />,
  },
  {
    key: 'speed',
    header: 'Tokens/s',
    align: 'right',
    narrow: 'wide',
    sortValue: ({ activity }) => activity?.tokensPerSecond,
    cell: ({ activity }) => <span title={SPEED_ABOUT}>{speedText(activity)}</span>,
  },
  { key: 'state', header: 'State', cell: (model) => <State model={model} /> },
];

interface ModelTableProps {
  query: UseQueryResult<ModelView[]>;
  rows: readonly ModelView[];
  empty: ReactNode;
  onClearFilters: () => void;
}

export function ModelTable({ query, rows, empty, onClearFilters }: ModelTableProps) {
  const { data: lately = [] } = useQuery(modelActivityQuery);
  const byId = new Map(lately.map((activity) => [activity.id, activity]));
  const withActivity = (models: readonly ModelView[]) =>
    models.map((model) => ({ ...model, activity: byId.get(model.id) }));
  return (
    <DataTable
      label="models"
      query={query}
      rows={withActivity(rows)}
      columns={columns}
      rowKey={({ id }) => id}
      rowLabel={({ displayName }) => displayName}
      empty={empty}
      onClearFilters={onClearFilters}
    />
  );
}

function Name({ model }: { model: ModelView }) {
  return (
    <Stack gap={0}>
      <Link to="/models/$" params={{ _splat: model.id }} className={classes.link}>
        {model.displayName}
      </Link>
      <Group gap={2} wrap="nowrap">
        <span className={classes.tableId}>{model.id}</span>
        <CopyButton value={model.id} what="model id" size={12} />
      </Group>
    </Stack>
  );
}

function Requests({ activity }: { activity: ModelActivity | undefined }) {
  if (!activity) return '–';
  return (
    <Stack gap={0} title={failuresText(activity) ?? undefined}>
      <Quantity value={activity.requests} />
      <span className={classes.more}>{successText(activity)} success</span>
    </Stack>
  );
}

function FirstToken({ activity }: { activity: ModelActivity | undefined }) {
  const { p50FirstTokenMs: p50 = null, p95FirstTokenMs: p95 = null } = activity ?? {};
  if (p50 === null || p95 === null) return '–';
  return (
    <Stack gap={0} title={speedBasis(activity)}>
      <span>{formatMs(p50)}</span>
      <span className={classes.more}>p95 {formatMs(p95)}</span>
    </Stack>
  );
}

function Context({ model: { contextLength, maxOutputTokens, dimensions } }: { model: ModelView }) {
  return (
    <Stack gap={0}>
      <Quantity value={contextLength} />
      {dimensions !== null && <span className={classes.more}>{formatNumber(dimensions)} dimensions</span>}
      {dimensions === null && maxOutputTokens !== null && (
        <span className={classes.more}>
          <Quantity value={maxOutputTokens} /> out
        </span>
      )}
    </Stack>
  );
}

function InputPrice({ model }: { model: ModelView }) {
  const { inputUsdPerMTok, cachedInputUsdPerMTok } = model.price;
  return (
    <Stack gap={0}>
      <span>{priceText(model, inputUsdPerMTok)}</span>
      {cachedInputUsdPerMTok !== inputUsdPerMTok && (
        <span className={classes.more}>{formatPrice(cachedInputUsdPerMTok)} cached</span>
      )}
    </Stack>
  );
}

function State({ model }: { model: ModelView }) {
  return (
    <div>
      <div>
        <ModelState model={model} />
      </div>
      {isUnpriced(model) && (
        <div className={classes.longState}>
          <PriceState model={model} />
        </div>
      )}
    </div>
  );
}
