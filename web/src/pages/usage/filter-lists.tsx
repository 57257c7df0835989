import { Loader, SegmentedControl, Stack, Text } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useState } from 'react';
import { messageOf } from '../../api/api-error';
import { FilterList } from './filter-list';
import { FILTER_LABELS, filtersFor, isSearched, useFilterOptions } from './filter-options';
import type { FilterName, UsageControls } from './use-usage-search';

const TYPING_MS = 200;

/** The filters of the page, a list for each kind. */
export function FilterLists({ search, isAdmin, filterBy }: UsageControls) {
  const names = filtersFor(search, isAdmin);
  const [wanted, setWanted] = useState<FilterName>('models');
  const name = names.includes(wanted) ? wanted : 'models';
  const [text, setText] = useState('');
  const [settledSearch, setSettledSearch] = useState('');
  const searchSoon = useDebouncedCallback(setSettledSearch, TYPING_MS);
  const searchFor = (typed: string) => {
    setText(typed);
    searchSoon(typed.trim());
  };
  const { data: options, error } = useFilterOptions(name, search.scope, text === '' ? '' : settledSearch);
  const look = (next: FilterName) => {
    setWanted(next);
    searchFor('');
  };
  return (
    <Stack gap="xs">
      <SegmentedControl<FilterName>
        fullWidth
        aria-label="Filter by"
        value={name}
        onChange={look}
        data={names.map((value) => ({ value, label: FILTER_LABELS[value] }))}
      />
      {options ? (
        <FilterList
          key={name}
          label={FILTER_LABELS[name]}
          options={options}
          isSearched={isSearched(name)}
          text={text}
          onText={searchFor}
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
