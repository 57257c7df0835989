import type { ComboboxItem, OptionsFilter } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { messageOf } from '../api/api-error';
import { foundUsersQuery, type UserView } from '../api/lists';

const TYPING_MS = 200;
const OFFERED = 50;

/** Props for a select of users, of whom there may be many: the gateway searches. `first` comes before all others. */
export function useUserSearch(labelOf: (user: UserView) => string, first?: ComboboxItem) {
  const [typed, setTyped] = useState('');
  const [seen, setSeen] = useState<ReadonlyMap<string, ComboboxItem>>(new Map());
  // A field that shows the choice does not search for it.
  const isChoice = [...seen.values(), ...(first ? [first] : [])].some(({ label }) => label === typed);
  const [settled, setSettled] = useState('');
  const searchSoon = useDebouncedCallback(setSettled, TYPING_MS);
  const searched = isChoice ? '' : settled.trim();
  const query = useQuery({
    ...foundUsersQuery({ q: searched, status: ['active', 'invited'], limit: OFFERED }),
    placeholderData: keepPreviousData,
  });
  const found = new Map(query.data?.map((user) => [user.id, { value: user.id, label: labelOf(user) }]));
  if ([...found.keys()].some((id) => !seen.has(id))) setSeen(new Map([...seen, ...found]));
  const firsts: [string, ComboboxItem][] = first ? [[first.value, first]] : [];
  const all = new Map([...firsts, ...seen, ...found, ...firsts]);
  const isAnswered = (search: string) => search.trim() === searched && !query.isPlaceholderData;
  /** The previous results are filtered by their text until the gateway has answered. */
  const filter: OptionsFilter = ({ options, search }) =>
    options.filter(
      (option) =>
        'value' in option &&
        ((isAnswered(search) && found.has(option.value)) ||
          ((!isAnswered(search) || option.value === first?.value) && holds(option.label, search))),
    );
  return {
    data: [...all.values()],
    filter,
    onSearchChange: (text: string) => {
      setTyped(text);
      searchSoon(text);
    },
    nothingFoundMessage: query.isFetching ? 'Searching…' : 'No user matches',
    error: query.error ? messageOf(query.error) : undefined,
  };
}

function holds(label: string, search: string): boolean {
  return label.toLowerCase().includes(search.trim().toLowerCase());
}
