import ChartColumn from 'icon:chart-column';
import ListTree from 'icon:list-tree';
import { Stack, Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { onDemand } from '../../kit/on-demand';
import { Page } from '../../kit/page';
import { useUrlDrawer } from '../../kit/use-url-drawer';
import { comparedWith } from './compared-with';
import { ControlBar } from './control-bar';
import { ExportMenu } from './export-menu';
import { Freshness } from './freshness';
import { ReportPanel } from './report-panel';
import { RequestsPanel } from './requests-panel';
import { reportBeforeQuery, reportQuery } from './usage-queries';
import { useUsageSearch } from './use-usage-search';

const CallDrawer = onDemand(
  () => import('./call-drawer').then((module) => module.CallDrawer),
  ({ id }) => id !== null,
  { id: null },
);

/** Usage and cost by user, key and model, down to the single request. The address holds the whole state. */
export function UsagePage() {
  const controls = useUsageSearch();
  const { search, change } = controls;
  const [call, openCall, closeCall] = useUrlDrawer('call');
  const report = useQuery(reportQuery(search));
  const before = useQuery(reportBeforeQuery(search));
  const compared = comparedWith(search, before.data);
  return (
    <Page
      title="Usage"
      description={<Freshness report={report} zone={search.range.zone} />}
      actions={<ExportMenu search={search} />}
    >
      <Tabs
        value={search.tab}
        onChange={(tab) => change({ tab: tab === 'requests' ? tab : undefined })}
        keepMounted={false}
      >
        <Tabs.List>
          <Tabs.Tab value="report" leftSection={<ChartColumn size={15} aria-hidden />}>
            Report
          </Tabs.Tab>
          <Tabs.Tab value="requests" leftSection={<ListTree size={15} aria-hidden />}>
            Requests
          </Tabs.Tab>
        </Tabs.List>
        <Stack gap="md" mt="md">
          <ControlBar {...controls} comparedWith={compared} />
          <Tabs.Panel value="report">
            <ReportPanel report={report} before={before.data} comparedWith={compared} {...controls} />
          </Tabs.Panel>
          <Tabs.Panel value="requests">
            <RequestsPanel search={search} call={call} onOpen={openCall} />
          </Tabs.Panel>
        </Stack>
      </Tabs>
      <CallDrawer id={call} zone={search.range.zone} onClose={closeCall} />
    </Page>
  );
}
