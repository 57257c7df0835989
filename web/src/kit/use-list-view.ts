import { useDebouncedCallback } from '@mantine/hooks';
import { useState } from 'react';
import { formatSort, nextSort, parseSort } from './table-order';
import { useUrlState } from './use-url-state';

const TYPING_MS = 250;

interface ListViewOptions<Name extends string> {
  /** The keys that the gateway sorts by; other values in the address mean the default. */
  sorts: readonly Name[];
  defaultSort: `-${Name}` | Name;
  /** Prefix of the names in the query string, for pages with more than one table. */
  urlPrefix?: string;
}

/** Search and order of a list that the gateway searches and sorts, stored in the address. */
export function useListView<Name extends string>({ sorts, defaultSort, urlPrefix = '' }: ListViewOptions<Name>) {
  const [urlSearch, setUrlSearch] = useUrlState(`${urlPrefix}q`, '');
  const [search, setSearch] = useState(urlSearch);
  const [settledSearch, setSettledSearch] = useState(urlSearch);
  const searchSoon = useDebouncedCallback(setSettledSearch, TYPING_MS);
  const orders = sorts.flatMap((name) => [name, `-${name}`] as const);
  const [sortText, setSortText] = useUrlState<Name | `-${Name}`>(`${urlPrefix}sort`, defaultSort, { oneOf: orders });
  const sort = parseSort(sortText);
  return {
    search,
    sort,
    /** The search in the format of the API, after a pause in typing. */
    query: { q: (search === '' ? '' : settledSearch).trim(), sort: sortText },
    searchFor: (text: string) => {
      setSearch(text);
      setUrlSearch(text);
      searchSoon(text);
    },
    sortBy: (key: string, isNumber: boolean) => setSortText(formatSort(nextSort(sort, key, isNumber)) as Name),
  };
}

export type ListView = ReturnType<typeof useListView>;
