import KeyRound from 'icon:key-round';
import Plus from 'icon:plus';
import { Button, Group } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { ProjectDetail } from '../../api/projects';
import { EmptyState } from '../../kit/empty-state';
import { columnsFor, decimalsFor, KEY_SORTS } from '../../kit/keys/key-columns';
import { KeyMenu } from '../../kit/keys/key-menu';
import { STATUS_FILTERS, type StatusFilter } from '../../kit/keys/key-state';
import { keysQuery } from '../../kit/keys/keys-api';
import { StatusSelect } from '../../kit/keys/status-select';
import { useKeyDialogs } from '../../kit/keys/use-key-dialogs';
import { ListTable } from '../../kit/list-table';
import { useListView } from '../../kit/use-list-view';
import { useNow } from '../../kit/use-now';
import { useUrlState } from '../../kit/use-url-state';

const STATUSES: readonly StatusFilter[] = STATUS_FILTERS.map(({ value }) => value);

/** The keys of a project and of its service accounts. */
export function ProjectKeys({ project }: { project: ProjectDetail }) {
  const now = useNow();
  const [status, setStatus] = useUrlState<StatusFilter>('status', 'current', { oneOf: STATUSES });
  const view = useListView({ sorts: KEY_SORTS, defaultSort: '-created' });
  const query = useInfiniteQuery(keysQuery({ project: project.id, status, ...view.query }));
  const decimals = decimalsFor(query.data?.pages.flatMap(({ items }) => items) ?? []);
  const canChange = project.canManage && project.archivedAt === null;
  const columns = useMemo(
    () => columnsFor({ scope: 'project', now, decimals, isReadOnly: !canChange }),
    [now, decimals, canChange],
  );
  const { open, element } = useKeyDialogs({ newName: '', project });
  const create = canChange && (
    <Button leftSection={<Plus size={16} aria-hidden="true" />} onClick={() => open({ kind: 'create' })}>
      Create key
    </Button>
  );
  const hasNoRows = query.data?.pages[0]?.items.length === 0 && status === 'current' && view.query.q === '';
  return (
    <>
      {!hasNoRows && create && (
        <Group justify="flex-end" mb="sm">
          {create}
        </Group>
      )}
      <ListTable
        label="keys of the project"
        query={query}
        view={view}
        columns={columns}
        rowKey={({ id }) => id}
        rowLabel={({ name }) => name}
        searchLabel="Search by name or key"
        filters={<StatusSelect value={status} onChange={setStatus} />}
        isFiltered={status !== 'current'}
        onClearFilters={() => setStatus('all')}
        menu={canChange ? (key, parts) => <KeyMenu parts={parts} apiKey={key} mayStore onOpen={open} /> : undefined}
        empty={
          <EmptyState icon={KeyRound} title="No keys yet" action={create}>
            A project key works until someone revokes it, even if the person who created it leaves.
          </EmptyState>
        }
      />
      {element}
    </>
  );
}
