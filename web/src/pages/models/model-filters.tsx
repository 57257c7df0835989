import LayoutGrid from 'icon:layout-grid';
import Rows3 from 'icon:rows-3';
import { Chip, Group, SegmentedControl, VisuallyHidden } from '@mantine/core';
import { SearchField } from '../../kit/search-field';
import { Select } from '../../kit/select';
import { CAPABILITIES } from './model-words';
import classes from './models.module.css';
import { type Layout, type ModelsView, SORTS } from './use-models-view';

interface ModelFiltersProps {
  view: ModelsView;
  tiers: readonly string[];
}

export function ModelFilters({ view, tiers }: ModelFiltersProps) {
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
