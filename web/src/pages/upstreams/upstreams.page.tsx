import FileCog from 'icon:file-cog';
import FlaskConical from 'icon:flask-conical';
import { Alert, Code, Tabs, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { DataTableSkeleton } from '../../kit/data-table-skeleton';
import { onDemand } from '../../kit/on-demand';
import { Page } from '../../kit/page';
import { QueryStates } from '../../kit/query-states';
import { useUrlDrawer } from '../../kit/use-url-drawer';
import { useUrlState } from '../../kit/use-url-state';
import { LastReload } from './last-reload';
import { ModelsTable } from './models-table';
import classes from './upstreams.module.css';
import { type Upstreams, upstreamsQuery } from './upstreams-api';
import { UpstreamsTable } from './upstreams-table';

const TABS = ['upstreams', 'models'] as const;

type Tab = (typeof TABS)[number];

const UpstreamDrawer = onDemand(
  () => import('./upstream-drawer').then((module) => module.UpstreamDrawer),
  ({ upstream }) => upstream !== null,
  { upstream: null },
);

export function UpstreamsPage() {
  const query = useQuery(upstreamsQuery);
  const models = useQuery({ ...upstreamsQuery, select: (data: Upstreams) => data.models });
  const upstreams = useQuery({ ...upstreamsQuery, select: (data: Upstreams) => data.upstreams });
  const [opened, open, close] = useUrlDrawer('upstream');
  const [tab, setTab] = useUrlState<Tab>('tab', 'upstreams', { oneOf: TABS, push: true });
  return (
    <Page
      title="Models & upstreams"
      description="The providers that the gateway calls, their health, and the models that they serve. Configure them in the configuration files."
    >
      <LastReload />
      <QueryStates query={query} skeleton={<DataTableSkeleton label="upstreams" columns={5} />}>
        {(data) => (
          <Tabs value={tab} onChange={(value) => setTab(value === 'models' ? 'models' : 'upstreams')}>
            <Tabs.List mb="md">
              <Tabs.Tab value="upstreams">Upstreams ({data.upstreams.length})</Tabs.Tab>
              <Tabs.Tab value="models">Models ({data.models.length})</Tabs.Tab>
            </Tabs.List>
            <Tabs.Panel value="upstreams">
              <Source file={data.upstreamsFile} />
              <SimulationNote data={data} />
              <UpstreamsTable query={upstreams} models={data.models} onOpen={open} />
            </Tabs.Panel>
            <Tabs.Panel value="models">
              <Source file={data.modelsFile} />
              <ModelsTable query={models} upstreams={data.upstreams} />
            </Tabs.Panel>
            <SeenBy data={data} />
          </Tabs>
        )}
      </QueryStates>
      <UpstreamDrawer upstream={upstreams.data?.find(({ name }) => name === opened) ?? null} onClose={close} />
    </Page>
  );
}

/** The file of the tab. */
function Source({ file }: { file: string }) {
  return (
    <Text size="xs" c="dimmed" mb="md" className={classes.file} component="div">
      <FileCog size={14} aria-hidden="true" /> Read from <Code fz="xs">{file}</Code>
    </Text>
  );
}

/** The process whose view this is, if anything is set aside. */
function SeenBy({ data: { models, seenBy } }: { data: Upstreams }) {
  const isAnyAside = models.some(({ targets }) => targets.some(({ asideReason }) => asideReason));
  if (!isAnyAside) return null;
  return (
    <Text size="xs" c="dimmed" mt="md">
      Processes share what they set aside. This is the view of process {seenBy.process} on {seenBy.host}.
    </Text>
  );
}

function SimulationNote({ data }: { data: Upstreams }) {
  const simulated = data.models.filter(({ state }) => state === 'simulated').length;
  if (simulated === 0) return null;
  return (
    <Alert icon={<FlaskConical size={17} aria-hidden="true" />} color="gray" mb="md" title="Answers are simulated">
      {simulated === data.models.length ? 'No model has a live upstream' : `${simulated} models have no live upstream`},
      so the gateway simulates their answers, at no cost. For real answers, set an upstream's credential and restart.
    </Alert>
  );
}
