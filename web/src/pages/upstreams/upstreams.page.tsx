import CircleX from 'icon:circle-x';
import FileCheck from 'icon:file-check';
import FileCog from 'icon:file-cog';
import FlaskConical from 'icon:flask-conical';
import RotateCcw from 'icon:rotate-ccw';
import { Alert, Code, List, Tabs, Text } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { api, unwrap } from '../../api/client';
import type { components } from '../../api/schema';
import type { Icon } from '../../icons/icon';
import { DataTableSkeleton } from '../../kit/data-table-parts';
import { RelativeTime } from '../../kit/figures';
import { onDemand } from '../../kit/on-demand';
import { Page } from '../../kit/page';
import { QueryStates } from '../../kit/states';
import { useIdCheck, useUrlDrawer, useUrlState } from '../../kit/url-state';
import { ModelsTable } from './models-table';
import { type Upstreams, upstreamsQuery } from './target-words';
import classes from './upstreams.module.css';
import { UpstreamsTable } from './upstreams-table';

type Reload = components['schemas']['ReloadView'];

const reloadQuery = queryOptions({
  queryKey: ['settings', 'reload'],
  queryFn: ({ signal }) => unwrap(api.GET('/api/settings/reload', { signal })),
});

const CAUSES: Record<Reload['cause'], string> = {
  signal: 'by a signal',
  command: 'by the command line',
  files: 'because a file changed',
};

/** The result of the last reload of the files; nothing before the first one. */
function LastReload() {
  const { data } = useQuery(reloadQuery);
  if (!data?.last) return null;
  const { at, cause, changes, needsRestart, faults } = data.last;
  const { title, color, icon: Icon } = lookOf(data.last);
  return (
    <Alert icon={<Icon size={17} aria-hidden="true" />} color={color} mb="md" title={title}>
      <Text size="sm" component="p" m={0}>
        Read <RelativeTime value={at} />, {CAUSES[cause]}
        {changes.length === 0 && faults.length === 0 && ': no reloadable settings changed'}.
      </Text>
      <List size="sm" mt={4}>
        {changes.map(({ file, name, change }) => (
          <List.Item key={`${file} ${name}`}>
            <Code fz="xs">{name}</Code> {change} in {file}
          </List.Item>
        ))}
        {faults.map(({ file, line, model, key, problem }) => (
          <List.Item key={`${file} ${line} ${key} ${problem}`}>
            {file.split('/').at(-1)}
            {line === null ? '' : `:${line}`}
            {model === null ? '' : ` (model ${model})`}: <Code fz="xs">{key}</Code> {problem}
          </List.Item>
        ))}
        {needsRestart.map((name) => (
          <List.Item key={name}>
            <Code fz="xs">{name}</Code> changed in gateway.yaml; a restart is needed
          </List.Item>
        ))}
      </List>
    </Alert>
  );
}

function lookOf({ needsRestart, faults }: Reload): { title: string; color: string; icon: Icon } {
  if (faults.length > 0) return { title: 'The files contain errors; nothing was changed', color: 'red', icon: CircleX };
  if (needsRestart.length > 0)
    return { title: 'The files were reloaded; a restart is needed', color: 'gray', icon: RotateCcw };
  return { title: 'The files were reloaded', color: 'gray', icon: FileCheck };
}

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
  useIdCheck('upstream', opened, !upstreams.data || upstreams.data.some(({ name }) => name === opened));
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
