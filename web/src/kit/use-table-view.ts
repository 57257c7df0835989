import { useDeferredValue, useMemo, useState } from 'react';
import type { Column, Sort } from './data-table.types';
import { formatSort, matching, nextSort, parseSort, sorted } from './table-order';
import { useUrlState } from './use-url-state';

const PAGE = 50;

interface TableViewOptions<T> {
  rows: readonly T[];
  columns: readonly Column<T>[];
  defaultSort?: Sort;
  searchText?: (row: T) => string;
  /** Prefix of the names in the query string, for pages with more than one table. */
  urlPrefix?: string;
}

/** Which rows are shown, and in which order; search and order are stored in the address. */
export function useTableView<T>({ rows, columns, defaultSort, searchText, urlPrefix = '' }: TableViewOptions<T>) {
  const [urlSearch, setUrlSearch] = useUrlState(`${urlPrefix}q`, '');
  const [search, setSearch] = useState(urlSearch);
  const [sortText, setSortText] = useUrlState(`${urlPrefix}sort`, formatSort(defaultSort ?? null));
  const [limit, setLimit] = useState(PAGE);
  const wanted = useDeferredValue(search);
  const sort = parseSort(sortText);
  const found = useMemo(
    () => sorted(matching(rows, wanted, searchText), columns, parseSort(sortText)),
    [rows, wanted, searchText, columns, sortText],
  );
  return {
    found,
    shown: found.slice(0, limit),
    search,
    sort,
    showMore: () => setLimit((known) => known + PAGE),
    searchFor: (text: string) => {
      setSearch(text);
      setUrlSearch(text);
      setLimit(PAGE);
    },
    sortBy: (key: string, isNumber: boolean) => setSortText(formatSort(nextSort(sort, key, isNumber))),
  };
}
