import { Alert, Code, SimpleGrid, Skeleton, Tabs, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { FileCog, FlaskConical } from 'lucide-react';
import { Page } from '../../kit/page';
import { QueryStates } from '../../kit/query-states';
import { useUrlState } from '../../kit/use-url-state';
import { ModelsTable } from './models-table';
import { UpstreamCard } from './upstream-card';
import classes from './upstreams.module.css';
import { type Upstreams, upstreamsQuery } from './upstreams-api';

const TABS = ['upstreams', 'models'] as const;

type Tab = (typeof TABS)[number];

export function UpstreamsPage() {
  const query = useQuery(upstreamsQuery);
  const models = useQuery({ ...upstreamsQuery, select: (data: Upstreams) => data.models });
  const [tab, setTab] = useUrlState<Tab>('tab', 'upstreams', { oneOf: TABS });
  return (
    <Page
      title="Models & upstreams"
      description="Which providers the gateway calls, and which models they serve. The files of the configuration say so; here is what comes of it."
      width="full"
    >
      <QueryStates query={query} skeleton={<CardsSkeleton />}>
        {(data) => (
          <Tabs value={tab} onChange={(value) => setTab(value === 'models' ? 'models' : 'upstreams')}>
            <Tabs.List mb="md">
              <Tabs.Tab value="upstreams">Upstreams ({data.upstreams.length})</Tabs.Tab>
              <Tabs.Tab value="models">Models ({data.models.length})</Tabs.Tab>
            </Tabs.List>
            <Tabs.Panel value="upstreams">
              <Source file={data.upstreamsFile} />
              <SimulationNote data={data} />
              <SimpleGrid cols={{ base: 1, sm: 2, xl: 3 }} spacing="md">
                {liveFirst(data).map((upstream) => (
                  <UpstreamCard key={upstream.name} upstream={upstream} />
                ))}
              </SimpleGrid>
            </Tabs.Panel>
            <Tabs.Panel value="models">
              <Source file={data.modelsFile} />
              <ModelsTable query={models} upstreams={data.upstreams} />
            </Tabs.Panel>
          </Tabs>
        )}
      </QueryStates>
    </Page>
  );
}

/** Which file the tab shows. */
function Source({ file }: { file: string }) {
  return (
    <Text size="xs" c="dimmed" mb="md" className={classes.file} component="div">
      <FileCog size={14} aria-hidden="true" /> Read from <Code fz="xs">{file}</Code> at start
    </Text>
  );
}

function SimulationNote({ data }: { data: Upstreams }) {
  const simulated = data.models.filter(({ state }) => state === 'simulated').length;
  if (simulated === 0) return null;
  return (
    <Alert icon={<FlaskConical size={17} aria-hidden="true" />} color="gray" mb="md" title="Answers are simulated">
      {simulated === data.models.length ? 'No model has a live upstream' : `${simulated} models have no live upstream`},
      so the gateway makes up their answers, at no cost. Give an upstream its credential, and restart, to have real
      ones.
    </Alert>
  );
}

function liveFirst({ upstreams }: Upstreams): Upstreams['upstreams'] {
  return [...upstreams].sort((a, b) => Number(b.state === 'live') - Number(a.state === 'live'));
}

function CardsSkeleton() {
  return (
    <SimpleGrid cols={{ base: 1, sm: 2, xl: 3 }} spacing="md">
      {['a', 'b', 'c', 'd', 'e', 'f'].map((key) => (
        <Skeleton key={key} h={250} radius="lg" />
      ))}
    </SimpleGrid>
  );
}
