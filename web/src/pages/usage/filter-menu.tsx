import { Badge, Button, Loader, Popover, SegmentedControl, Stack, Text } from '@mantine/core';
import { ListFilter } from 'lucide-react';
import { useState } from 'react';
import { messageOf } from '../../api/api-error';
import { FilterList } from './filter-list';
import { FILTER_LABELS, filtersFor, useFilterOptions } from './filter-options';
import classes from './usage.module.css';
import type { FilterName, UsageControls } from './use-usage-search';

/** A button that opens lists to tick, one of each kind of thing; every choice counts at once. */
export function FilterMenu(controls: UsageControls) {
  const [isOpen, setOpen] = useState(false);
  const { search, isAdmin } = controls;
  const chosen = filtersFor(search, isAdmin).reduce((sum, name) => sum + search.filters[name].length, 0);
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-end" width={312} shadow="md" trapFocus returnFocus>
      <Popover.Target>
        <Button
          variant="default"
          className={classes.control}
          aria-haspopup="dialog"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          <ListFilter size={15} aria-hidden />
          <span className={classes.controlLabel}>Filter</span>
          {chosen > 0 && (
            <Badge size="xs" circle variant="filled">
              {chosen}
            </Badge>
          )}
        </Button>
      </Popover.Target>
      <Popover.Dropdown p="xs" aria-label="Filter">
        <Lists {...controls} />
      </Popover.Dropdown>
    </Popover>
  );
}

function Lists({ search, isAdmin, filterBy }: UsageControls) {
  const names = filtersFor(search, isAdmin);
  const [wanted, setWanted] = useState<FilterName>('models');
  const name = names.includes(wanted) ? wanted : 'models';
  const { data: options, error } = useFilterOptions(name, search.scope, true);
  return (
    <Stack gap="xs">
      <SegmentedControl<FilterName>
        fullWidth
        aria-label="What to filter by"
        value={name}
        onChange={setWanted}
        data={names.map((value) => ({ value, label: FILTER_LABELS[value] }))}
      />
      {options ? (
        <FilterList
          key={name}
          label={FILTER_LABELS[name]}
          options={options}
          chosen={search.filters[name]}
          onChange={(ids) => filterBy(name, ids)}
        />
      ) : (
        <Text size="sm" c="dimmed" p="xs" component="div">
          {error ? messageOf(error) : <Loader size="sm" />}
        </Text>
      )}
    </Stack>
  );
}
