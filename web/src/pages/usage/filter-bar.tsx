import { Button, Group, Pill } from '@mantine/core';
import { type ChosenFilterProps, FilterMenu } from './filter-menu';
import { FILTER_LABELS, useFilterOptions } from './filter-options';
import { FILTERS, type UsageControls } from './use-usage-search';

/** What the page is narrowed down to, each choice with its way out. */
export function FilterBar({ search, isAdmin, change, filterBy }: UsageControls) {
  const names = FILTERS.filter((name) => name !== 'users' || (isAdmin && search.scope === 'all'));
  const isFiltered = names.some((name) => search.filters[name].length > 0);
  return (
    <Group gap={6} role="group" aria-label="Filters">
      {names.map((name) => (
        <FilterMenu
          key={name}
          name={name}
          scope={search.scope}
          chosen={search.filters[name]}
          onChange={(ids) => filterBy(name, ids)}
        />
      ))}
      {names.map((name) => (
        <ChosenPills
          key={name}
          name={name}
          scope={search.scope}
          chosen={search.filters[name]}
          onChange={(ids) => filterBy(name, ids)}
        />
      ))}
      {isFiltered && (
        <Button
          variant="subtle"
          color="gray"
          size="compact-sm"
          onClick={() => change({ models: undefined, keys: undefined, users: undefined, statuses: undefined })}
        >
          Clear filters
        </Button>
      )}
    </Group>
  );
}

function ChosenPills({ name, scope, chosen, onChange }: ChosenFilterProps) {
  const { data: options } = useFilterOptions(name, scope, chosen.length > 0);
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
