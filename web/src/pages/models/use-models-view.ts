import { useLocalStorage } from '@mantine/hooks';
import type { ModelView } from '../../api/lists';
import { matching } from '../../kit/table-order';
import { useUrlState } from '../../kit/use-url-state';

export type Layout = 'cards' | 'table';
export type ModelsView = ReturnType<typeof useModelsView>;

/** The orders of the cards; a table is sorted by its columns. */
export const SORTS = [
  { value: '', label: 'Catalog order' },
  { value: 'name', label: 'Name' },
  { value: 'input', label: 'Price: lowest first' },
  { value: '-input', label: 'Price: highest first' },
  { value: '-context', label: 'Context: longest first' },
];

/** Which models are shown, and how; stored in the address except for the layout, so that links keep it. */
export function useModelsView() {
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
