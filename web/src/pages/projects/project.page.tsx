import Ellipsis from 'icon:ellipsis';
import { Button, Group, Tabs, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { type ProjectDetail, projectQuery } from '../../api/projects';
import { mayAll, useSession } from '../../api/session';
import { DataTableSkeleton } from '../../kit/data-table-parts';
import { DropMenu, onDemand } from '../../kit/on-demand';
import { BackLink, Page } from '../../kit/page';
import { QueryStates } from '../../kit/states';
import { useAddressCheck, useUrlValues } from '../../kit/url-state';
import { ProjectBadges, ROLE_NAMES } from './project-columns';
import type { ProjectDialog } from './project-dialogs';
import { ProjectOverview } from './project-overview';
import classes from './projects.module.css';

const ProjectDialogs = onDemand(
  () => import('./project-dialogs').then((module) => module.ProjectDialogs),
  ({ dialog }) => dialog !== null,
  { dialog: null },
);

/** What managers and administrators can do with a project; an archived one cannot be changed. */
function ProjectActions({ project }: { project: ProjectDetail }) {
  const session = useSession();
  const { contentLogDays } = session;
  const [dialog, setDialog] = useState<ProjectDialog | null>(null);
  const isAdmin = mayAll(session, 'projects.write');
  if (!project.canManage || project.archivedAt !== null) return null;
  return (
    <>
      <Button variant="default" onClick={() => setDialog('limits')}>
        Limits
      </Button>
      <DropMenu
        position="bottom-end"
        width={230}
        target={
          <Button variant="default" leftSection={<Ellipsis size={16} aria-hidden="true" />}>
            More
          </Button>
        }
      >
        {(Menu) => (
          <>
            <Menu.Item onClick={() => setDialog('rename')}>Rename</Menu.Item>
            {isAdmin && <Menu.Item onClick={() => setDialog('plan')}>Change plan</Menu.Item>}
            {(project.logsContent || contentLogDays !== null) && (
              <Menu.Item onClick={() => setDialog('content')}>
                {project.logsContent ? 'Stop storing content' : 'Store prompts and answers'}
              </Menu.Item>
            )}
            {contentLogDays !== null && <Menu.Item onClick={() => setDialog('cache')}>Cache</Menu.Item>}
            <Menu.Item onClick={() => setDialog('guards')}>Guards</Menu.Item>
            {isAdmin && (
              <Menu.Item color="red" onClick={() => setDialog('archive')}>
                Archive
              </Menu.Item>
            )}
          </>
        )}
      </DropMenu>
      <ProjectDialogs project={project} dialog={dialog} onClose={() => setDialog(null)} />
    </>
  );
}

/** Loaded on demand, when their tab is opened. */
const ProjectKeys = lazy(async () => ({ default: (await import('./project-tabs')).ProjectKeys }));
const ProjectMembers = lazy(async () => ({ default: (await import('./project-tabs')).ProjectMembers }));
const ServiceAccounts = lazy(async () => ({ default: (await import('./project-tabs')).ServiceAccounts }));

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
  const [{ tab: required }, setValues] = useUrlValues(true);
  useAddressCheck({ tab: required }, { tab: TABS });
  const tab = TABS.find((one) => one === required) ?? 'overview';
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
