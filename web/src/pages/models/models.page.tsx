import Blocks from 'icon:blocks';
import LayoutGrid from 'icon:layout-grid';
import Rows3 from 'icon:rows-3';
import SearchX from 'icon:search-x';
import { Button, Card, Chip, Group, Skeleton, Stack, Text, Title, VisuallyHidden } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { type ModelView, modelsQuery } from '../../api/lists';
import { CopyButton } from '../../kit/copy-button';
import { Quantity } from '../../kit/figures';
import { formatNumber } from '../../kit/numbers';
import { Grid, Page } from '../../kit/page';
import { SearchField } from '../../kit/search-field';
import { SegmentedControl } from '../../kit/segmented-control';
import { Select } from '../../kit/select';
import { EmptyState, QueryStates } from '../../kit/states';
import { matching, parseSort, sorted } from '../../kit/table-order';
import { useAddressCheck, useUrlState, useUrlValues } from '../../kit/url-state';
import { CAPABILITIES, Capabilities, ModelState, PriceOptions, PriceState, Tier } from './model-badges';
import { ModelTable } from './model-table';
import { priceText } from './model-text';
import classes from './models.module.css';

type Layout = 'cards' | 'table';
type ModelsView = ReturnType<typeof useModelsView>;

/** The orders of the cards; a table is sorted by its columns. */
const SORTS = [
  { value: '', label: 'Catalog order' },
  { value: 'name', label: 'Name' },
  { value: 'input', label: 'Price: lowest first' },
  { value: '-input', label: 'Price: highest first' },
  { value: '-context', label: 'Context: longest first' },
];

/** Which models are shown, and how; stored in the address except for the layout, so that links keep it. */
function useModelsView() {
  const [layout, setLayout] = useLocalStorage<Layout>({
    key: 'models-layout',
    defaultValue: 'cards',
    getInitialValueInEffect: false,
  });
  const [search, setSearch] = useUrlState('q', '');
  const [sort, setSort] = useUrlState('sort', '');
  const [tierText, setTiers] = useUrlState('tier', '');
  const [capabilityText, setCapabilities] = useUrlState('can', '');
  const tiers = listed(tierText);
  const capabilities = listed(capabilityText);
  return {
    layout: layout === 'table' ? ('table' as const) : ('cards' as const),
    setLayout,
    search,
    setSearch,
    sort,
    setSort,
    tiers,
    toggleTier: (tier: string) => setTiers(toggled(tiers, tier)),
    capabilities,
    toggleCapability: (capability: string) => setCapabilities(toggled(capabilities, capability)),
    filtered: (models: readonly ModelView[]) =>
      matching(models, search, searchText).filter(
        (model) =>
          (tiers.length === 0 || tiers.includes(model.tier)) &&
          capabilities.every((capability) => model.capabilities?.includes(capability)),
      ),
  };
}

function searchText({ id, displayName, description, ownedBy }: ModelView): string {
  return `${id} ${displayName} ${description} ${ownedBy}`;
}

function listed(text: string): string[] {
  return text.split(',').filter(Boolean);
}

function toggled(list: readonly string[], item: string): string {
  return (list.includes(item) ? list.filter((other) => other !== item) : [...list, item]).join(',');
}

interface ModelFiltersProps {
  view: ModelsView;
  tiers: readonly string[];
}

function ModelFilters({ view, tiers }: ModelFiltersProps) {
  return (
    <>
      <Group gap="xs" mb="sm" className={classes.bar}>
        <SearchField label="Search models" value={view.search} onChange={view.setSearch} />
        {view.layout === 'cards' && (
          <Select
            aria-label="Sort by"
            w={196}
            data={SORTS}
            value={view.sort}
            allowDeselect={false}
            onChange={(value) => value !== null && view.setSort(value)}
          />
        )}
        <SegmentedControl
          className={classes.layout}
          aria-label="Layout"
          value={view.layout}
          onChange={(value) => view.setLayout(value as Layout)}
          data={[
            { value: 'cards', label: <LayoutLabel icon={LayoutGrid} name="Cards" /> },
            { value: 'table', label: <LayoutLabel icon={Rows3} name="Table" /> },
          ]}
        />
      </Group>
      <Group gap={6} mb="lg" role="group" aria-label="Filters">
        {tiers.length > 1 &&
          tiers.map((tier) => (
            <Chip
              key={tier}
              size="xs"
              className={classes.chip}
              checked={view.tiers.includes(tier)}
              onChange={() => view.toggleTier(tier)}
            >
              {tier}
            </Chip>
          ))}
        {Object.entries(CAPABILITIES).map(([id, { name }]) => (
          <Chip key={id} size="xs" checked={view.capabilities.includes(id)} onChange={() => view.toggleCapability(id)}>
            {name}
          </Chip>
        ))}
      </Group>
    </>
  );
}

function LayoutLabel({ icon: Icon, name }: { icon: typeof LayoutGrid; name: string }) {
  return (
    <span className={classes.layoutLabel}>
      <Icon size={15} aria-hidden="true" />
      <VisuallyHidden>{name}</VisuallyHidden>
    </span>
  );
}

function ModelCard({ model }: { model: ModelView }) {
  const { inputUsdPerMTok, outputUsdPerMTok } = model.price;
  return (
    <Card component="article" className={classes.card} data-off={!model.callable || undefined} padding="md">
      <Group justify="space-between" align="flex-start" wrap="nowrap" gap="xs">
        <Stack gap={0} miw={0}>
          <Title order={2} size="h3" className={classes.name}>
            <Link to="/models/$" params={{ _splat: model.id }} className={classes.cover}>
              {model.displayName}
            </Link>
          </Title>
          <Text size="xs" c="dimmed">
            {model.ownedBy}
          </Text>
        </Stack>
        <Tier tier={model.tier} />
      </Group>
      <Group gap={2} wrap="nowrap" className={classes.id}>
        <code>{model.id}</code>
        <CopyButton value={model.id} what="model id" size={13} />
      </Group>
      <Text size="sm" c="dimmed" lineClamp={2} className={classes.about}>
        {model.description}
      </Text>
      <Capabilities model={model} />
      <dl className={classes.facts}>
        {model.dimensions === null ? (
          <Fact name="Context" value={<Quantity value={model.contextLength} />} />
        ) : (
          <Fact name="Maximum input" value={<Quantity value={model.maxInputTokens ?? 0} />} />
        )}
        <Fact name="Input / 1M" value={priceText(model, inputUsdPerMTok)} />
        {model.dimensions === null ? (
          <Fact name="Output / 1M" value={priceText(model, outputUsdPerMTok)} />
        ) : (
          <Fact name="Dimensions" value={formatNumber(model.dimensions)} />
        )}
      </dl>
      <PriceOptions model={model} />
      <Group gap="sm">
        <ModelState model={model} />
        <PriceState model={model} />
      </Group>
    </Card>
  );
}

function Fact({ name, value }: { name: string; value: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

const COLUMNS = { base: 1, sm: 2, lg: 3 };
const PLACEHOLDERS = ['a', 'b', 'c', 'd', 'e', 'f'];

/** The catalog. */
export function ModelsPage() {
  const query = useQuery(modelsQuery);
  const view = useModelsView();
  const [values, setUrlValues] = useUrlValues();
  const clear = () => setUrlValues({ q: undefined, tier: undefined, can: undefined });
  const tiers = [...new Set(query.data?.map(({ tier }) => tier))].sort();
  useAddressCheck(values, query.data ? { tier: tiers } : {});
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
    <Grid cols={COLUMNS} gap="md">
      {shown.map((model) => (
        <ModelCard key={model.id} model={model} />
      ))}
    </Grid>
  );
}

const SORT_VALUES = [
  { key: 'name', header: '', cell: () => null, sortValue: ({ displayName }: ModelView) => displayName },
  { key: 'input', header: '', cell: () => null, sortValue: ({ price }: ModelView) => price.inputUsdPerMTok },
  { key: 'context', header: '', cell: () => null, sortValue: ({ contextLength }: ModelView) => contextLength },
];

function CardSkeletons() {
  return (
    <Grid cols={COLUMNS} gap="md">
      {PLACEHOLDERS.map((name) => (
        <Skeleton key={name} h={224} radius="lg" />
      ))}
    </Grid>
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
