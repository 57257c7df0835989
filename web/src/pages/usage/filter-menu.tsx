import ListFilter from 'icon:list-filter';
import { Badge, Button, Loader } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { DropPanel } from '../../kit/drop-panel';
import { filtersFor } from './filter-options';
import classes from './usage.module.css';
import type { UsageControls } from './use-usage-search';

const FilterLists = lazy(() => import('./filter-lists').then((module) => ({ default: module.FilterLists })));

/** A button that opens lists of options, one for each kind; every choice takes effect immediately. */
export function FilterMenu(controls: UsageControls) {
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
