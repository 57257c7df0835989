import { Button, Group, Paper, Text } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { SearchX } from 'lucide-react';
import type { ReactNode } from 'react';
import classes from './data-table.module.css';
import type { Column, Sort } from './data-table.types';
import { DataTableHead } from './data-table-head';
import { DataTableRow } from './data-table-row';
import { DataTableSkeleton } from './data-table-skeleton';
import { DataTableTotal } from './data-table-total';
import { EmptyState } from './empty-state';
import { ErrorState } from './error-state';
import { formatNumber } from './numbers';
import type { MenuParts } from './overlays';
import { SearchField } from './search-field';
import { Table } from './table';
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
  const { label, columns, rowKey, rowLabel, searchText, searchLabel, filters, menu, bulk, onRowClick } = props;
  const view = useTableView({ rows, ...props });
  const selection = useSelection(view.found, rowKey);
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
      {bulk && selection.selected.length > 0 && (
        <Group className={classes.bulk} gap="xs" role="region" aria-label="Selected rows">
          <Text size="sm" fw={500}>
            {formatNumber(selection.selected.length)} selected
          </Text>
          {bulk(selection.selected, selection.clear)}
          <Button size="compact-sm" variant="subtle" color="gray" onClick={selection.clear}>
            Clear
          </Button>
        </Group>
      )}
      <Paper className={classes.frame}>
        {view.shown.length === 0 ? (
          <EmptyState
            icon={SearchX}
            title="Nothing matches"
            action={
              <Button variant="default" onClick={clear}>
                Clear search and filters
              </Button>
            }
          />
        ) : (
          <Table role="table" aria-label={label} className={classes.table} highlightOnHover verticalSpacing={10}>
            <DataTableHead
              columns={columns}
              sort={view.sort}
              onSort={view.sortBy}
              hasMenu={menu !== undefined}
              selection={bulk && { all: view.found, count: selection.selected.length, toggleAll: selection.toggleAll }}
            />
            <Table.Tbody role="rowgroup">
              {view.shown.map((row) => (
                <DataTableRow
                  key={rowKey(row)}
                  row={row}
                  label={rowLabel(row)}
                  columns={columns}
                  menu={menu}
                  onClick={onRowClick}
                  isSelected={selection.has(row)}
                  onSelect={bulk && selection.toggle}
                />
              ))}
            </Table.Tbody>
            {props.total !== undefined && <DataTableTotal row={props.total} columns={columns} />}
          </Table>
        )}
      </Paper>
      {view.found.length > view.shown.length && (
        <Group justify="center" mt="md" gap="sm">
          <Text size="sm" c="dimmed">
            {formatNumber(view.shown.length)} of {formatNumber(view.found.length)}
          </Text>
          <Button variant="default" size="xs" onClick={view.showMore}>
            Show more
          </Button>
        </Group>
      )}
    </>
  );
}
