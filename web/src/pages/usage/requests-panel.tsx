import ListTree from 'icon:list-tree';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { EmptyState } from '../../kit/empty-state';
import { ButtonLink } from '../../kit/links';
import { PagedTable } from '../../kit/paged-table';
import { callColumns } from './call-columns';
import classes from './usage.module.css';
import { callsQuery } from './usage-queries';
import type { UsageSearch } from './use-usage-search';

interface RequestsPanelProps {
  search: UsageSearch;
  /** The id of the request whose details are open. */
  call: string | null;
  onOpen: (id: string) => void;
}

/** The requests of the range, newest first; each opens its details. */
export function RequestsPanel({ search, call, onOpen }: RequestsPanelProps) {
  const calls = useInfiniteQuery(callsQuery(search));
  const columns = useMemo(() => callColumns(search.range.zone, onOpen), [search.range.zone, onOpen]);
  return (
    <div className={classes.dense}>
      <PagedTable
        label="Requests"
        query={calls}
        columns={columns}
        rowKey={({ id }) => id}
        rowLabel={({ requestId }) => `request ${requestId}`}
        isSelected={({ id }) => id === call}
        onRowClick={({ id }) => onOpen(id)}
        empty={<NoCalls />}
      />
    </div>
  );
}

function NoCalls() {
  return (
    <EmptyState
      icon={ListTree}
      title="No requests here"
      action={
        <ButtonLink to="/playground" variant="default">
          Open Playground
        </ButtonLink>
      }
    >
      No requests match this range and these filters.
    </EmptyState>
  );
}
