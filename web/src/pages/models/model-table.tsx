import { Group, Stack } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { ModelView } from '../../api/lists';
import { CopyButton } from '../../kit/copy-button';
import { DataTable } from '../../kit/data-table';
import type { Column } from '../../kit/data-table.types';
import { formatNumber, formatPrice } from '../../kit/numbers';
import { Quantity } from '../../kit/quantity';
import { Capabilities, ModelState, PriceOptions, PriceState, Tier } from './model-badges';
import classes from './models.module.css';
import { isUnpriced, priceText } from './price-options';

const columns: Column<ModelView>[] = [
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
  { key: 'state', header: 'State', cell: (model) => <State model={model} /> },
];

interface ModelTableProps {
  query: UseQueryResult<ModelView[]>;
  rows: readonly ModelView[];
  empty: ReactNode;
  onClearFilters: () => void;
}

export function ModelTable({ query, rows, empty, onClearFilters }: ModelTableProps) {
  return (
    <DataTable
      label="models"
      query={query}
      rows={rows}
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
