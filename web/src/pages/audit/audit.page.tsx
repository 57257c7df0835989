import { Button } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { ScrollText } from 'lucide-react';
import { useMemo, useState } from 'react';
import { EmptyState } from '../../kit/empty-state';
import { Page } from '../../kit/page';
import { PagedTable } from '../../kit/paged-table';
import { type AuditEntry, auditQuery } from './audit-api';
import { auditColumns } from './audit-columns';
import { AuditFilters } from './audit-filters';
import { EntryDrawer } from './entry-drawer';
import { ExportMenu } from './export-menu';
import { useAuditSearch } from './use-audit-search';

export function AuditPage() {
  const search = useAuditSearch();
  const query = useInfiniteQuery(auditQuery(search.filter));
  const [open, setOpen] = useState<AuditEntry | null>(null);
  const columns = useMemo(() => auditColumns(setOpen), []);
  return (
    <Page
      title="Audit log"
      description="Who changed what, and when. Entries cannot be changed or removed; secrets never stand in them."
      width="full"
      actions={<ExportMenu filter={search.filter} />}
    >
      <AuditFilters {...search} />
      <PagedTable
        label="Audit log"
        query={query}
        columns={columns}
        rowKey={({ id }) => id}
        rowLabel={({ action }) => action}
        onRowClick={setOpen}
        isSelected={({ id }) => id === open?.id}
        empty={search.isNarrowed ? <NoMatch onClear={search.clear} /> : <NoEntries />}
      />
      <EntryDrawer
        entry={open}
        onClose={() => setOpen(null)}
        onFilter={(filter) => {
          setOpen(null);
          search.narrowTo(filter);
        }}
      />
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
    <EmptyState icon={ScrollText} title="Nothing has been changed yet">
      What administrators, the command line and single sign-on change shows up here at once.
    </EmptyState>
  );
}
