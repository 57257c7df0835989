import { Button, Group, Pill } from '@mantine/core';
import { FILTER_LABELS, filtersFor, useChosenOptions } from './filter-options';
import { type FilterName, NO_FILTERS, type UsageControls, type UsageSearch } from './use-usage-search';

/** The active filters, each with a button to remove it; nothing if there are none. */
export function ChosenFilters({ search, isAdmin, change, filterBy }: UsageControls) {
  const names = filtersFor(search, isAdmin).filter((name) => search.filters[name].length > 0);
  if (names.length === 0) return null;
  return (
    <Group gap={6} role="group" aria-label="Filters">
      {names.map((name) => (
        <ChosenPills
          key={name}
          name={name}
          scope={search.scope}
          chosen={search.filters[name]}
          onChange={(ids) => filterBy(name, ids)}
        />
      ))}
      <Button variant="subtle" color="gray" size="compact-sm" onClick={() => change(NO_FILTERS)}>
        Clear filters
      </Button>
    </Group>
  );
}

interface ChosenPillsProps {
  name: FilterName;
  scope: UsageSearch['scope'];
  chosen: readonly string[];
  onChange: (ids: string[]) => void;
}

function ChosenPills({ name, scope, chosen, onChange }: ChosenPillsProps) {
  const { data: options } = useChosenOptions(name, scope, chosen);
  return chosen.map((id) => {
    const label = options?.find((option) => option.id === id)?.label ?? id;
    return (
      <Pill
        key={id}
        size="md"
        withRemoveButton
        removeButtonProps={{
          'aria-label': `Remove the filter ${FILTER_LABELS[name]} ${label}`,
          'aria-hidden': false,
          tabIndex: 0,
        }}
        onRemove={() => onChange(chosen.filter((other) => other !== id))}
      >
        {label}
      </Pill>
    );
  });
}
