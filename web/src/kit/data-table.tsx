import { Group, Paper } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import classes from './data-table.module.css';
import type { Column, Sort } from './data-table.types';
import { BulkBar, NothingMatches, ShowMore } from './data-table-parts';
import { TableOfRows } from './data-table-rows';
import { DataTableSkeleton } from './data-table-skeleton';
import { DataTableTotal } from './data-table-total';
import { ErrorState } from './error-state';
import { formatNumber } from './numbers';
import type { MenuParts } from './overlays';
import { SearchField } from './search-field';
import { useSelection } from './use-selection';
import { useTableView } from './use-table-view';

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
  const clear = () => {
    view.searchFor('');
    props.onClearFilters?.();
  };
  return (
    <>
      {(searchText || filters) && (
        <Group mb="sm" gap="xs">
          {searchText && (
            <SearchField label={searchLabel ?? `Search ${label}`} value={view.search} onChange={view.searchFor} />
          )}
          {filters}
        </Group>
      )}
      <BulkBar selection={selection} bulk={bulk} />
      <Paper className={classes.frame}>
        {view.shown.length === 0 ? (
          <NothingMatches onClear={clear} />
        ) : (
          <TableOfRows
            {...props}
            rows={view.shown}
            all={view.found}
            selection={selection}
            sort={view.sort}
            onSort={view.sortBy}
            footer={props.total !== undefined && <DataTableTotal row={props.total} columns={columns} />}
          />
        )}
      </Paper>
      {view.found.length > view.shown.length && (
        <ShowMore shown={view.shown.length} of={formatNumber(view.found.length)} onClick={view.showMore} />
      )}
    </>
  );
}
