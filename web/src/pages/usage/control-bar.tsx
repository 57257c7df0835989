import ListFilter from 'icon:list-filter';
import SlidersHorizontal from 'icon:sliders-horizontal';
import { Badge, Button, Group, Loader, Pill } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { DropPanel } from '../../kit/on-demand';
import { RangeDays, RangePresets } from '../../kit/range-choice';
import { ScopeSwitch } from '../../kit/select';
import classes from './usage.module.css';
import { FILTER_LABELS, filtersFor, useChosenOptions } from './usage-queries';
import { type FilterName, NO_FILTERS, type UsageControls, type UsageSearch } from './use-usage-search';

/** The active filters, each with a button to remove it; nothing if there are none. */
function ChosenFilters({ search, isAdmin, change, filterBy }: UsageControls) {
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

const FilterLists = lazy(() => import('./filter-lists').then((module) => ({ default: module.FilterLists })));

/** A button that opens lists of options, one for each kind; every choice takes effect immediately. */
function FilterMenu(controls: UsageControls) {
  const { search, isAdmin } = controls;
  const chosen = filtersFor(search, isAdmin).reduce((sum, name) => sum + search.filters[name].length, 0);
  return (
    <DropPanel
      position="bottom-end"
      width={312}
      dropdown={{ p: 'xs', 'aria-label': 'Filter' }}
      target={
        <Button variant="default" className={classes.control}>
          <ListFilter size={15} aria-hidden />
          <span className={classes.controlLabel}>Filter</span>
          {chosen > 0 && (
            <Badge size="xs" circle variant="filled">
              {chosen}
            </Badge>
          )}
        </Button>
      }
    >
      <Suspense fallback={<Loader size="sm" m="xs" />}>
        <FilterLists {...controls} />
      </Suspense>
    </DropPanel>
  );
}

const ViewChoices = lazy(() => import('./view-choices').then((module) => ({ default: module.ViewChoices })));

interface ViewMenuProps extends Pick<UsageControls, 'search' | 'change'> {
  comparedWith: string;
}

/** A button that opens the view's settings. */
function ViewMenu(props: ViewMenuProps) {
  return (
    <DropPanel
      position="bottom-end"
      width={312}
      dropdown={{ 'aria-label': 'View' }}
      target={
        <Button variant="default" className={classes.control}>
          <SlidersHorizontal size={15} aria-hidden />
          <span className={classes.controlLabel}>View</span>
        </Button>
      }
    >
      <Suspense fallback={<Loader size="sm" />}>
        <ViewChoices {...props} />
      </Suspense>
    </DropPanel>
  );
}

interface ControlBarProps extends UsageControls {
  /** The period that the numbers are compared with, in words. */
  comparedWith: string;
}

/** Time, scope, filters and view: one row, or two where they do not fit. */
export function ControlBar({ comparedWith, ...controls }: ControlBarProps) {
  const { search, change } = controls;
  const { range } = search;
  return (
    <div className={classes.controls}>
      <Group gap={6}>
        <RangePresets range={range} change={change} />
        <ScopeSwitch what="usage" />
        <Group gap={6} wrap="nowrap" ml="auto">
          <FilterMenu {...controls} />
          <ViewMenu search={search} change={change} comparedWith={comparedWith} />
        </Group>
      </Group>
      <RangeDays range={range} change={change} />
      <ChosenFilters {...controls} />
    </div>
  );
}
