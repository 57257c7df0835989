import ChevronDown from 'icon:chevron-down';
import { Badge, Button, Loader } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { DropPanel } from '../../kit/drop-panel';
import { FILTER_LABELS } from './filter-words';
import classes from './requests.module.css';
import { type FilterName, filtersFor, type RequestsControls } from './use-requests-search';

const FilterOptions = lazy(() => import('./filter-options').then((module) => ({ default: module.FilterOptions })));

/** A button for each filter, which opens its values with the number of requests of each. */
export function FilterBar(controls: RequestsControls) {
  const { search, isAdmin } = controls;
  return filtersFor(isAdmin, search.scope).map((name) => <FilterButton key={name} name={name} {...controls} />);
}

function FilterButton({ name, ...controls }: RequestsControls & { name: FilterName }) {
  const chosen = controls.search.filters[name].length;
  return (
    <DropPanel
      position="bottom-start"
      width={300}
      dropdown={{ p: 'xs', 'aria-label': FILTER_LABELS[name] }}
      target={
        <Button variant="default" size="compact-sm" className={classes.control} data-chosen={chosen > 0 || undefined}>
          <span>{FILTER_LABELS[name]}</span>
          {chosen > 0 && (
            <Badge size="xs" circle variant="filled" ml={6}>
              {chosen}
            </Badge>
          )}
          <ChevronDown size={13} aria-hidden style={{ marginInlineStart: 4 }} />
        </Button>
      }
    >
      <Suspense fallback={<Loader size="sm" m="xs" />}>
        <FilterOptions name={name} {...controls} />
      </Suspense>
    </DropPanel>
  );
}
