import { Group, Paper } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useDeferredValue, useMemo, useState } from 'react';
import classes from './data-table.module.css';
import { BulkBar, DataTableSkeleton, NothingMatches, ShowMore, useSelection } from './data-table-parts';
import { type Column, DataTableTotal, type Sort, TableOfRows } from './data-table-rows';
import { formatNumber } from './numbers';
import type { MenuParts } from './overlays';
import { SearchField } from './search-field';
import { ErrorState } from './states';
import { useChosenColumns } from './table-columns';
import { formatSort, matching, nextSort, parseSort, sorted } from './table-order';
import { useAddressCheck, useUrlState } from './url-state';

const PAGE = 50;
const NEXT = 200;

interface TableViewOptions<T> {
  rows: readonly T[];
  columns: readonly Column<T>[];
  defaultSort?: Sort;
  searchText?: (row: T) => string;
  /** Prefix of the names in the query string, for pages with more than one table. */
  urlPrefix?: string;
}

/** Which rows are shown, and in which order; search and order are stored in the address. */
function useTableView<T>({ rows, columns, defaultSort, searchText, urlPrefix = '' }: TableViewOptions<T>) {
  const [urlSearch, setUrlSearch] = useUrlState(`${urlPrefix}q`, '');
  const [search, setSearch] = useState(urlSearch);
  const [sortText, setSortText] = useUrlState(`${urlPrefix}sort`, formatSort(defaultSort ?? null));
  const sortable = columns.flatMap(({ key, sortValue }) => (sortValue ? [key, `-${key}`] : []));
  useAddressCheck({ [`${urlPrefix}sort`]: sortText }, { [`${urlPrefix}sort`]: sortable });
  const [limit, setLimit] = useState(PAGE);
  const required = useDeferredValue(search);
  const sort = parseSort(sortText);
  const found = useMemo(
    () => sorted(matching(rows, required, searchText), columns, parseSort(sortText)),
    [rows, required, searchText, columns, sortText],
  );
  return {
    found,
    shown: found.slice(0, limit),
    search,
    sort,
    showMore: () => setLimit((known) => known + NEXT),
    searchFor: (text: string) => {
      setSearch(text);
      setUrlSearch(text);
      setLimit(PAGE);
    },
    sortBy: (key: string, isNumber: boolean) => setSortText(formatSort(nextSort(sort, key, isNumber))),
  };
}

export interface DataTableProps<T> {
  /** Names the table for screen readers: "API keys". */
  label: string;
  query: Pick<UseQueryResult<readonly T[]>, 'data' | 'error' | 'isFetching' | 'refetch'>;
  /** The rows that match the page's own filters; by default all of the query's. */
  rows?: readonly T[];
  columns: readonly Column<T>[];
  rowKey: (row: T) => string;
  /** Names a row for screen readers: "Select alice-laptop". */
  rowLabel: (row: T) => string;
  defaultSort?: Sort;
  /** The text to search in; without it there is no search field. Define it outside of the component. */
  searchText?: (row: T) => string;
  searchLabel?: string;
  /** Shown beside the search field. */
  filters?: ReactNode;
  /** Clears the page's own filters when nothing matches. */
  onClearFilters?: () => void;
  /** Menu items for the actions of a row. */
  menu?: ((row: T, parts: MenuParts) => ReactNode) | undefined;
  /** Buttons for the selected rows; makes rows selectable. */
  bulk?: (rows: readonly T[], clear: () => void) => ReactNode;
  onRowClick?: (row: T) => void;
  /** Shown when there are no rows. */
  empty: ReactNode;
  /** The total of the rows, shown below them in any order. */
  total?: T;
  urlPrefix?: string;
}

/** A list with sorting, search and a menu for each row; on a small screen, cards. */
export function DataTable<T>(props: DataTableProps<T>) {
  const { query, label, columns, empty } = props;
  if (query.data === undefined) {
    return (
      <Paper>
        {query.error ? (
          <ErrorState error={query.error} isRetrying={query.isFetching} onRetry={() => query.refetch()} />
        ) : (
          <DataTableSkeleton label={label} columns={columns.length} />
        )}
      </Paper>
    );
  }
  if (query.data.length === 0) return <Paper>{empty}</Paper>;
  return <Filled {...props} rows={props.rows ?? query.data} />;
}

function Filled<T>({ rows, ...props }: DataTableProps<T> & { rows: readonly T[] }) {
  const { label, searchText, searchLabel, filters, bulk, columns } = props;
  const view = useTableView({ rows, ...props });
  const selection = useSelection(view.found, props.rowKey);
  const { shown, chooser } = useChosenColumns(label, columns);
  const clear = () => {
    view.searchFor('');
    props.onClearFilters?.();
  };
  return (
    <>
      {(searchText || filters || chooser) && (
        <Group mb="sm" gap="xs">
          {searchText && (
            <SearchField label={searchLabel ?? `Search ${label}`} value={view.search} onChange={view.searchFor} />
          )}
          {filters}
          {chooser}
        </Group>
      )}
      <BulkBar selection={selection} bulk={bulk} />
      <Paper className={classes.frame}>
        {view.shown.length === 0 ? (
          <NothingMatches onClear={clear} />
        ) : (
          <TableOfRows
            {...props}
            columns={shown}
            rows={view.shown}
            all={view.found}
            selection={selection}
            sort={view.sort}
            onSort={view.sortBy}
            footer={props.total !== undefined && <DataTableTotal row={props.total} columns={shown} />}
          />
        )}
      </Paper>
      {view.found.length > view.shown.length && (
        <ShowMore shown={view.shown.length} of={formatNumber(view.found.length)} onClick={view.showMore} />
      )}
    </>
  );
}
