import { Group, Paper } from '@mantine/core';
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import classes from './data-table.module.css';
import { DataTableSkeleton, ShowMore } from './data-table-parts';
import { type Column, DataTableHead, DataTableRow, TableBodies } from './data-table-rows';
import { ErrorState } from './states';
import { Table } from './table';
import { useChosenColumns } from './table-columns';

interface PagedTableProps<Item, T> {
  /** Names the table for screen readers: "Audit log". */
  label: string;
  query: UseInfiniteQueryResult<InfiniteData<{ items: readonly Item[] }>>;
  /** What is shown of the query's items. */
  rows: readonly T[];
  columns: readonly Column<T>[];
  rowKey: (row: T) => string;
  rowLabel: (row: T) => string;
  onRowClick?: (row: T) => void;
  isSelected?: (row: T) => boolean;
  /** Shown when there are no rows. */
  empty: ReactNode;
}

/** A list that the gateway pages, in its own order. */
export function PagedTable<Item, T>({
  label,
  query,
  rows,
  columns,
  rowKey,
  rowLabel,
  ...props
}: PagedTableProps<Item, T>) {
  const { shown, chooser } = useChosenColumns(label, columns);
  if (!query.data) {
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
  if (rows.length === 0) return <Paper>{props.empty}</Paper>;
  return (
    <>
      {chooser && <Group mb="xs">{chooser}</Group>}
      <Paper className={classes.frame}>
        <Table
          role="table"
          aria-label={label}
          className={classes.table}
          highlightOnHover={props.onRowClick !== undefined}
          verticalSpacing={10}
        >
          <DataTableHead columns={shown} sort={null} onSort={() => undefined} hasMenu={false} />
          <TableBodies rows={rows}>
            {(row) => (
              <DataTableRow
                key={rowKey(row)}
                row={row}
                label={rowLabel(row)}
                columns={shown}
                isSelected={props.isSelected?.(row) ?? false}
                onClick={props.onRowClick}
              />
            )}
          </TableBodies>
        </Table>
      </Paper>
      {query.hasNextPage && (
        <ShowMore
          onClick={() => query.fetchNextPage()}
          isLoading={query.isFetchingNextPage}
          hasFailed={query.isFetchNextPageError}
        />
      )}
    </>
  );
}
