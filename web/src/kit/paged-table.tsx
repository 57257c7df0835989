import { Paper } from '@mantine/core';
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import classes from './data-table.module.css';
import { DataTableSkeleton, ShowMore } from './data-table-parts';
import { type Column, DataTableHead, DataTableRow } from './data-table-rows';
import { ErrorState } from './states';
import { Table } from './table';

interface PagedTableProps<T> {
  /** Names the table for screen readers: "Audit log". */
  label: string;
  query: UseInfiniteQueryResult<InfiniteData<{ items: readonly T[] }>>;
  columns: readonly Column<T>[];
  rowKey: (row: T) => string;
  rowLabel: (row: T) => string;
  onRowClick?: (row: T) => void;
  isSelected?: (row: T) => boolean;
  /** Shown when there are no rows. */
  empty: ReactNode;
}

/** A list that the gateway pages, in its own order. */
export function PagedTable<T>({ label, query, columns, rowKey, rowLabel, ...props }: PagedTableProps<T>) {
  const rows = query.data?.pages.flatMap(({ items }) => items);
  if (!rows) {
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
      <Paper className={classes.frame}>
        <Table
          role="table"
          aria-label={label}
          className={classes.table}
          highlightOnHover={props.onRowClick !== undefined}
          verticalSpacing={10}
        >
          <DataTableHead columns={columns} sort={null} onSort={() => undefined} hasMenu={false} />
          <Table.Tbody role="rowgroup">
            {rows.map((row) => (
              <DataTableRow
                key={rowKey(row)}
                row={row}
                label={rowLabel(row)}
                columns={columns}
                isSelected={props.isSelected?.(row) ?? false}
                onClick={props.onRowClick}
              />
            ))}
          </Table.Tbody>
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
