import Blocks from 'icon:blocks';
import SearchX from 'icon:search-x';
import { Button, SimpleGrid, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ModelView, modelsQuery } from '../../api/lists';
import { EmptyState } from '../../kit/empty-state';
import { Page } from '../../kit/page';
import { QueryStates } from '../../kit/query-states';
import { parseSort, sorted } from '../../kit/table-order';
import { useUrlValues } from '../../kit/use-url-state';
import { ModelCard } from './model-card';
import { ModelFilters } from './model-filters';
import { ModelTable } from './model-table';
import { type ModelsView, useModelsView } from './use-models-view';

const COLUMNS = { base: 1, sm: 2, lg: 3 };
const PLACEHOLDERS = ['a', 'b', 'c', 'd', 'e', 'f'];

/** The catalog. */
export function ModelsPage() {
  const query = useQuery(modelsQuery);
  const view = useModelsView();
  const [, setUrlValues] = useUrlValues();
  const clear = () => setUrlValues({ q: undefined, tier: undefined, can: undefined });
  const tiers = [...new Set(query.data?.map(({ tier }) => tier))].sort();
  return (
    <Page
      title="Models"
      description="Every model that you can call with one key, and what it costs per million tokens."
    >
      {query.data?.length !== 0 && <ModelFilters view={view} tiers={tiers} />}
      {view.layout === 'table' ? (
        <ModelTable query={query} rows={view.filtered(query.data ?? [])} empty={<NoModels />} onClearFilters={clear} />
      ) : (
        <QueryStates query={query} skeleton={<CardSkeletons />}>
          {(models) => (models.length === 0 ? <NoModels /> : <Cards models={models} view={view} onClear={clear} />)}
        </QueryStates>
      )}
    </Page>
  );
}

interface CardsProps {
  models: readonly ModelView[];
  view: ModelsView;
  onClear: () => void;
}

function Cards({ models, view, onClear }: CardsProps) {
  const shown = sorted(view.filtered(models), SORT_VALUES, parseSort(view.sort));
  if (shown.length === 0) {
    return (
      <EmptyState
        icon={SearchX}
        title="No model matches"
        action={
          <Button variant="default" onClick={onClear}>
            Clear search and filters
          </Button>
        }
      />
    );
  }
  return (
    <SimpleGrid cols={COLUMNS} spacing="md">
      {shown.map((model) => (
        <ModelCard key={model.id} model={model} />
      ))}
    </SimpleGrid>
  );
}

const SORT_VALUES = [
  { key: 'name', header: '', cell: () => null, sortValue: ({ displayName }: ModelView) => displayName },
  { key: 'input', header: '', cell: () => null, sortValue: ({ price }: ModelView) => price.inputUsdPerMTok },
  { key: 'context', header: '', cell: () => null, sortValue: ({ contextLength }: ModelView) => contextLength },
];

function CardSkeletons() {
  return (
    <SimpleGrid cols={COLUMNS} spacing="md">
      {PLACEHOLDERS.map((name) => (
        <Skeleton key={name} h={224} radius="lg" />
      ))}
    </SimpleGrid>
  );
}

function NoModels() {
  return (
    <EmptyState icon={Blocks} title="No models yet">
      No provider is connected for a model of your plan. Its models appear here when an administrator sets a provider's
      API key.
    </EmptyState>
  );
}
