import { Group, Tabs, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { type ProjectDetail, projectQuery } from '../../api/projects';
import { BackLink } from '../../kit/back-link';
import { DataTableSkeleton } from '../../kit/data-table-skeleton';
import { Page } from '../../kit/page';
import { QueryStates } from '../../kit/query-states';
import { useUrlValues } from '../../kit/use-url-state';
import { ProjectActions } from './project-actions';
import { ProjectBadges, ROLE_NAMES } from './project-columns';
import { ProjectOverview } from './project-overview';
import classes from './projects.module.css';

/** Loaded on demand, when their tab is opened. */
const ProjectKeys = lazy(async () => ({ default: (await import('./project-keys')).ProjectKeys }));
const ProjectMembers = lazy(async () => ({ default: (await import('./project-members')).ProjectMembers }));
const ServiceAccounts = lazy(async () => ({ default: (await import('./service-accounts')).ServiceAccounts }));

const TABS = ['overview', 'keys', 'members', 'accounts'] as const;
type Tab = (typeof TABS)[number];

/** One project: its numbers, keys, members and service accounts. */
export function ProjectPage() {
  const { id = '' } = useParams({ strict: false });
  const query = useQuery(projectQuery(id));
  const project = query.data;
  return (
    <Page
      title={project?.name ?? 'Project'}
      description={project && <Facts project={project} />}
      before={<BackLink to="/projects">Projects</BackLink>}
      actions={project && <ProjectActions project={project} />}
    >
      <QueryStates query={query}>{(data) => <ProjectTabs key={data.id} project={data} />}</QueryStates>
    </Page>
  );
}

function Facts({ project }: { project: ProjectDetail }) {
  const { role, plan } = project;
  return (
    <Group gap="sm" component="span">
      <Text size="sm" component="span">
        {role ? `You are a ${ROLE_NAMES[role].toLowerCase()}` : 'You are not a member'} · Plan {plan.name}
      </Text>
      <ProjectBadges project={project} />
    </Group>
  );
}

function ProjectTabs({ project }: { project: ProjectDetail }) {
  const [{ tab: wanted }, setValues] = useUrlValues(true);
  const tab = TABS.find((one) => one === wanted) ?? 'overview';
  // The search and the order of another tab's list do not apply.
  const change = (next: string | null) =>
    setValues({ tab: next === 'overview' || !next ? undefined : next, q: undefined, sort: undefined });
  const labels: Record<Tab, string> = {
    overview: 'Overview',
    keys: `Keys (${project.keys})`,
    members: `Members (${project.members})`,
    accounts: `Service accounts (${project.serviceAccounts})`,
  };
  return (
    <Tabs value={tab} onChange={change} keepMounted={false}>
      <Tabs.List mb="md" className={classes.tabs}>
        {TABS.map((one) => (
          <Tabs.Tab key={one} value={one}>
            {labels[one]}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value="overview">
        <ProjectOverview project={project} />
      </Tabs.Panel>
      <Tabs.Panel value="keys">
        <Suspense fallback={<DataTableSkeleton label="keys" columns={5} />}>
          <ProjectKeys project={project} />
        </Suspense>
      </Tabs.Panel>
      <Tabs.Panel value="members">
        <Suspense fallback={<DataTableSkeleton label="members" columns={3} />}>
          <ProjectMembers project={project} />
        </Suspense>
      </Tabs.Panel>
      <Tabs.Panel value="accounts">
        <Suspense fallback={<DataTableSkeleton label="service accounts" columns={4} />}>
          <ServiceAccounts project={project} />
        </Suspense>
      </Tabs.Panel>
    </Tabs>
  );
}
