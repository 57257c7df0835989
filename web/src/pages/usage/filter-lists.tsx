import Search from 'icon:search';
import { Checkbox, Loader, ScrollArea, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useState } from 'react';
import { messageOf } from '../../api/api-error';
import { SegmentedControl } from '../../kit/segmented-control';
import { FILTER_LABELS, type FilterOption, filtersFor, isSearched, useFilterOptions } from './usage-queries';
import type { FilterName, UsageControls } from './use-usage-search';

const SEARCHED_FROM = 8;

interface FilterListProps {
  label: string;
  options: readonly FilterOption[];
  /** The options are already the matches of the text. */
  isSearched: boolean;
  text: string;
  onText: (text: string) => void;
  chosen: readonly string[];
  onChange: (ids: string[]) => void;
}

/** Options to select; with a search if there are many. */
function FilterList({ label, options, isSearched, text, onText, chosen, onChange }: FilterListProps) {
  const found = options.filter(
    (option) =>
      isSearched || `${option.label} ${option.detail ?? ''}`.toLowerCase().includes(text.trim().toLowerCase()),
  );
  return (
    <Stack gap="xs">
      {(options.length >= SEARCHED_FROM || text !== '') && (
        <TextInput
          aria-label={`Search ${label.toLowerCase()}s`}
          placeholder="Search"
          value={text}
          onChange={(event) => onText(event.currentTarget.value)}
          leftSection={<Search size={14} aria-hidden />}
        />
      )}
      <ScrollArea.Autosize mah={280} type="auto">
        <Checkbox.Group value={[...chosen]} onChange={onChange} aria-label={label}>
          <Stack gap={2}>
            {found.map(({ id, label: text, detail }) => (
              <Checkbox key={id} value={id} size="xs" label={text} description={detail} p={6} />
            ))}
          </Stack>
        </Checkbox.Group>
        {found.length === 0 && (
          <Text size="sm" c="dimmed" p="xs">
            {options.length === 0 && text === '' ? 'There is nothing to choose from yet.' : 'Nothing matches.'}
          </Text>
        )}
      </ScrollArea.Autosize>
    </Stack>
  );
}

const TYPING_MS = 200;

/** The filters of the page, a list for each kind. */
export function FilterLists({ search, isAdmin, filterBy }: UsageControls) {
  const names = filtersFor(search, isAdmin);
  const [required, setRequired] = useState<FilterName>('models');
  const name = names.includes(required) ? required : 'models';
  const [text, setText] = useState('');
  const [settledSearch, setSettledSearch] = useState('');
  const searchSoon = useDebouncedCallback(setSettledSearch, TYPING_MS);
  const searchFor = (typed: string) => {
    setText(typed);
    searchSoon(typed.trim());
  };
  const { data: options, error } = useFilterOptions(name, search.scope, text === '' ? '' : settledSearch);
  const look = (next: FilterName) => {
    setRequired(next);
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
          isSearched={isSearched(name, search.scope)}
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
