import ScrollText from 'icon:scroll-text';
import { Button } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { EmptyState } from '../../kit/empty-state';
import { onDemand } from '../../kit/on-demand';
import { Page } from '../../kit/page';
import { PagedTable } from '../../kit/paged-table';
import { useUrlDrawer } from '../../kit/use-url-drawer';
import { auditQuery } from './audit-api';
import { auditColumns } from './audit-columns';
import { AuditFilters } from './audit-filters';
import { ExportMenu } from './export-menu';
import { useAuditSearch } from './use-audit-search';

const EntryDrawer = onDemand(
  () => import('./entry-drawer').then((module) => module.EntryDrawer),
  ({ entry }) => entry !== null,
  { entry: null },
);

export function AuditPage() {
  const search = useAuditSearch();
  const query = useInfiniteQuery(auditQuery(search.filter));
  const [openId, open, close] = useUrlDrawer('entry');
  const columns = useMemo(() => auditColumns(({ id }) => open(id)), [open]);
  const entries = query.data?.pages.flatMap(({ items }) => items) ?? [];
  return (
    <Page
      title="Audit log"
      description="Who changed what, and when. Entries cannot be changed or removed, and they never contain secrets."
      actions={<ExportMenu filter={search.filter} />}
    >
      <AuditFilters {...search} />
      <PagedTable
        label="Audit log"
        query={query}
        columns={columns}
        rowKey={({ id }) => id}
        rowLabel={({ action }) => action}
        onRowClick={({ id }) => open(id)}
        isSelected={({ id }) => id === openId}
        empty={search.isNarrowed ? <NoMatch onClear={search.clear} /> : <NoEntries />}
      />
      <EntryDrawer entry={entries.find(({ id }) => id === openId) ?? null} onClose={close} onFilter={search.narrowTo} />
    </Page>
  );
}

function NoMatch({ onClear }: { onClear: () => void }) {
  return (
    <EmptyState
      icon={ScrollText}
      title="Nothing matches"
      action={
        <Button variant="default" onClick={onClear}>
          Clear search and filters
        </Button>
      }
    />
  );
}

function NoEntries() {
  return (
    <EmptyState icon={ScrollText} title="No changes yet">
      Changes by administrators, the command line and single sign-on appear here immediately.
    </EmptyState>
  );
}
