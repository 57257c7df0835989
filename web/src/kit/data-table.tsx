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
  /** The rows that the page's own filters leave; without it all of the query's. */
  rows?: readonly T[];
  columns: readonly Column<T>[];
  rowKey: (row: T) => string;
  /** Names a row for screen readers: "Select alice-laptop". */
  rowLabel: (row: T) => string;
  defaultSort?: Sort;
  /** What the search looks at; without it there is no search field. Keep it outside of the component. */
  searchText?: (row: T) => string;
  searchLabel?: string;
  /** Stands beside the search field. */
  filters?: ReactNode;
  /** Takes the page's own filters back, when nothing matches them. */
  onClearFilters?: () => void;
  /** Items for what can be done with a row. */
  menu?: (row: T, parts: MenuParts) => ReactNode;
  /** Buttons for what can be done with the ticked rows; makes rows tickable. */
  bulk?: (rows: readonly T[], clear: () => void) => ReactNode;
  onRowClick?: (row: T) => void;
  /** What stands there when there are no rows at all. */
  empty: ReactNode;
  /** What the rows add up to: stands below them, whatever the order. */
  total?: T;
  urlPrefix?: string;
}

/** A list of things: sorted, searched, with a menu a row; on a small screen a card each. */
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
