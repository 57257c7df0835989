import { Group, Paper } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import classes from './data-table.module.css';
import { BulkBar, DataTableSkeleton, NothingMatches, ShowMore, useSelection } from './data-table-parts';
import { type Column, TableOfRows } from './data-table-rows';
import { formatNumber } from './numbers';
import type { MenuParts } from './overlays';
import { SearchField } from './search-field';
import { ErrorState } from './states';
import { useChosenColumns } from './table-columns';
import { formatSort, nextSort, parseSort } from './table-order';
import { useUrlState } from './url-state';

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

type ListView = ReturnType<typeof useListView>;

interface ListPage<T> {
  items: readonly T[];
  /** The number of all matches; on the first page. */
  total?: { count: number; isExact: boolean } | null;
}

interface ListTableProps<T> {
  /** Names the table for screen readers: "API keys". */
  label: string;
  query: UseInfiniteQueryResult<InfiniteData<ListPage<T>>>;
  view: ListView;
  columns: readonly Column<T>[];
  rowKey: (row: T) => string;
  /** Names a row for screen readers: "Select alice-laptop". */
  rowLabel: (row: T) => string;
  searchLabel: string;
  /** Shown beside the search field. */
  filters?: ReactNode;
  /** Whether the page's own filters are active. */
  isFiltered?: boolean;
  /** Clears the page's own filters when nothing matches. */
  onClearFilters?: () => void;
  /** Menu items for the actions of a row. */
  menu?: ((row: T, parts: MenuParts) => ReactNode) | undefined;
  /** Buttons for the selected rows; makes rows selectable. */
  bulk?: (rows: readonly T[], clear: () => void) => ReactNode;
  onRowClick?: (row: T) => void;
  /** Shown when there are no rows. */
  empty: ReactNode;
}

/** A list of any length that the gateway searches, sorts and pages. */
export function ListTable<T>({ query, view, isFiltered = false, ...props }: ListTableProps<T>) {
  const { label, columns, rowKey, searchLabel, filters, bulk } = props;
  const rows = query.data?.pages.flatMap(({ items }) => items);
  const selection = useSelection(rows ?? [], rowKey);
  const { shown, chooser } = useChosenColumns(label, columns);
  if (rows?.length === 0 && view.query.q === '' && !isFiltered) return <Paper>{props.empty}</Paper>;
  const clear = () => {
    view.searchFor('');
    props.onClearFilters?.();
  };
  return (
    <>
      <Group mb="sm" gap="xs">
        <SearchField label={searchLabel} value={view.search} onChange={view.searchFor} />
        {filters}
        {chooser}
      </Group>
      <BulkBar selection={selection} bulk={bulk} />
      <Paper className={classes.frame} aria-busy={query.isPlaceholderData || undefined}>
        {rows === undefined ? (
          query.error ? (
            <ErrorState error={query.error} isRetrying={query.isFetching} onRetry={() => query.refetch()} />
          ) : (
            <DataTableSkeleton label={label} columns={columns.length} />
          )
        ) : rows.length === 0 ? (
          <NothingMatches onClear={clear} />
        ) : (
          <TableOfRows
            {...props}
            columns={shown}
            rows={rows}
            all={rows}
            selection={selection}
            sort={view.sort}
            onSort={view.sortBy}
          />
        )}
      </Paper>
      {rows && query.hasNextPage && (
        <ShowMore
          shown={rows.length}
          of={totalText(query.data?.pages[0])}
          onClick={() => query.fetchNextPage()}
          isLoading={query.isFetchingNextPage}
          hasFailed={query.isFetchNextPageError}
        />
      )}
    </>
  );
}

/** "1,204", "more than 10,000" */
function totalText<T>(first: ListPage<T> | undefined): string | null {
  if (!first?.total) return null;
  const { count, isExact } = first.total;
  return isExact ? formatNumber(count) : `more than ${formatNumber(count)}`;
}
