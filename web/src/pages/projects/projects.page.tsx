import FolderKanban from 'icon:folder-kanban';
import Plus from 'icon:plus';
import { Button } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { projectsQuery } from '../../api/projects';
import { mayAll, useSession } from '../../api/session';
import { ListTable, useListView } from '../../kit/list-table';
import { onDemand } from '../../kit/on-demand';
import { Page } from '../../kit/page';
import { ScopeSwitch, Select } from '../../kit/select';
import { EmptyState } from '../../kit/states';
import { useScope, useUrlState } from '../../kit/url-state';
import { PROJECT_SORTS, projectColumns } from './project-columns';
import classes from './projects.module.css';

const CreateProjectDialog = onDemand(
  () => import('./create-project').then((module) => module.CreateProjectDialog),
  ({ opened }) => opened,
  { opened: false },
);

const STATUSES = [
  { value: 'active', label: 'Active' },
  { value: 'archived', label: 'Archived' },
  { value: 'all', label: 'All' },
] as const;
type Status = (typeof STATUSES)[number]['value'];

/** The projects of the person; for administrators also all of them. */
export function ProjectsPage() {
  const isAdmin = mayAll(useSession(), 'projects.write');
  const scope = useScope();
  const [status, setStatus] = useUrlState<Status>('status', 'active', { oneOf: STATUSES.map(({ value }) => value) });
  const view = useListView({ sorts: PROJECT_SORTS, defaultSort: 'name' });
  const query = useInfiniteQuery(projectsQuery({ scope, status, ...view.query }));
  const [isCreating, setCreating] = useState(false);
  const navigate = useNavigate();
  const create = isAdmin && (
    <Button leftSection={<Plus size={16} aria-hidden="true" />} onClick={() => setCreating(true)}>
      Create project
    </Button>
  );
  return (
    <Page
      title="Projects"
      description="A project has keys, limits and service accounts that its members share."
      actions={
        <>
          <ScopeSwitch what="projects" />
          {create}
        </>
      }
    >
      <ListTable
        label="projects"
        query={query}
        view={view}
        columns={projectColumns}
        rowKey={({ id }) => id}
        rowLabel={({ name }) => name}
        searchLabel="Search projects"
        filters={
          <Select
            className={classes.filter}
            aria-label="Status"
            data={STATUSES}
            value={status}
            allowDeselect={false}
            onChange={(value) => value && setStatus(value)}
          />
        }
        isFiltered={status !== 'active'}
        onClearFilters={() => setStatus('active')}
        empty={<NoProjects action={create} isAll={scope === 'all'} />}
      />
      <CreateProjectDialog
        opened={isCreating}
        onCreated={(id) => void navigate({ to: '/projects/$id', params: { id } })}
        onClose={() => setCreating(false)}
      />
    </Page>
  );
}

function NoProjects({ action, isAll }: { action: React.ReactNode; isAll: boolean }) {
  const isAdmin = action !== false;
  return (
    <EmptyState icon={FolderKanban} title={isAll ? 'No projects yet' : 'You are not in any project'} action={action}>
      Project keys belong to a team and keep working when a person leaves. All of them share the project’s limits and
      budgets. {isAdmin ? 'Create one, then add its managers.' : 'An administrator creates projects and adds you.'}
    </EmptyState>
  );
}
