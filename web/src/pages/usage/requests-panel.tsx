import { useInfiniteQuery } from '@tanstack/react-query';
import { ListTree } from 'lucide-react';
import { useMemo } from 'react';
import { EmptyState } from '../../kit/empty-state';
import { ButtonLink } from '../../kit/links';
import { PagedTable } from '../../kit/paged-table';
import { callColumns } from './call-columns';
import classes from './usage.module.css';
import { callsQuery } from './usage-queries';
import type { UsageControls } from './use-usage-search';

/** The single requests of the range, newest first; each opens its details. */
export function RequestsPanel({ search, change }: UsageControls) {
  const calls = useInfiniteQuery(callsQuery(search));
  const columns = useMemo(
    () => callColumns(search.range.zone, (id) => change({ call: id })),
    [search.range.zone, change],
  );
  return (
    <div className={classes.requests}>
      <PagedTable
        label="Requests"
        query={calls}
        columns={columns}
        rowKey={({ id }) => id}
        rowLabel={({ requestId }) => `request ${requestId}`}
        isSelected={({ id }) => id === search.call}
        onRowClick={({ id }) => change({ call: id })}
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
      In this range, and with these filters, nothing was asked.
    </EmptyState>
  );
}
