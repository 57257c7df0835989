import { Paper, Text } from '@mantine/core';
import { lazy, Suspense, useMemo } from 'react';
import tableClasses from '../../kit/data-table.module.css';
import { DataTableHead } from '../../kit/data-table-head';
import { ShowMore } from '../../kit/data-table-parts';
import { DataTableRow } from '../../kit/data-table-row';
import { DataTableSkeleton } from '../../kit/data-table-skeleton';
import { ErrorState } from '../../kit/error-state';
import { toRows } from '../../kit/request-rows';
import { Table } from '../../kit/table';
import { formatTime } from '../../kit/times';
import { requestColumns } from './request-columns';
import classes from './requests.module.css';
import type { Call } from './requests-queries';
import type { LiveRequests } from './use-live-requests';
import type { RequestsControls } from './use-requests-search';

/** Loaded when a list is empty. */
const NoRequests = lazy(() => import('./no-requests').then((module) => ({ default: module.NoRequests })));

interface RequestsTableProps extends RequestsControls {
  list: LiveRequests['list'];
  calls: readonly Call[] | undefined;
  /** The id of the request whose details are open. */
  openId: string | null;
  onOpen: (id: string) => void;
}

/** The requests, newest first, one line each. */
export function RequestsTable({ list, calls, openId, onOpen, search, isAdmin, change }: RequestsTableProps) {
  const { zone } = search.range;
  const showsUsers = isAdmin && search.scope === 'all';
  const columns = useMemo(() => requestColumns(zone, showsUsers, onOpen), [zone, showsUsers, onOpen]);
  const rows = useMemo(() => toRows(calls ?? [], search.isGrouped), [calls, search.isGrouped]);
  if (!calls) {
    return (
      <Paper>
        {list.error ? (
          <ErrorState error={list.error} isRetrying={list.isFetching} onRetry={() => list.refetch()} />
        ) : (
          <DataTableSkeleton label="Requests" columns={columns.length} />
        )}
      </Paper>
    );
  }
  const searchedTo = list.data?.pages.at(-1)?.searchedTo ?? null;
  return (
    <>
      {rows.length === 0 ? (
        <Paper>
          <Suspense fallback={null}>
            <NoRequests search={search} change={change} />
          </Suspense>
        </Paper>
      ) : (
        <Paper className={classes.frame}>
          <Table
            role="table"
            aria-label="Requests"
            className={`${tableClasses.table} ${classes.table}`}
            highlightOnHover
            stickyHeader
          >
            <DataTableHead columns={columns} sort={null} onSort={() => undefined} hasMenu={false} />
            <Table.Tbody role="rowgroup">
              {rows.map((row) => (
                <DataTableRow
                  key={row.call.id}
                  row={row}
                  label={`request ${row.call.requestId}`}
                  columns={columns}
                  isSelected={row.call.id === openId}
                  onClick={({ call }) => onOpen(call.id)}
                />
              ))}
            </Table.Tbody>
          </Table>
        </Paper>
      )}
      {searchedTo !== null && (
        <Text size="sm" c="dimmed" ta="center" mt="md">
          Searched 10,000 requests, back to {formatTime(new Date(searchedTo), zone)}.
        </Text>
      )}
      {list.hasNextPage && (
        <ShowMore
          onClick={() => list.fetchNextPage()}
          isLoading={list.isFetchingNextPage}
          hasFailed={list.isFetchNextPageError}
        />
      )}
    </>
  );
}
