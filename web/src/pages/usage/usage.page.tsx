import { Stack, Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ChartColumn, ListTree } from 'lucide-react';
import { Page } from '../../kit/page';
import { useUrlDrawer } from '../../kit/use-url-drawer';
import { CallDrawer } from './call-drawer';
import { ExportMenu } from './export-menu';
import { FilterBar } from './filter-bar';
import { Freshness } from './freshness';
import { RangeBar } from './range-bar';
import { ReportPanel } from './report-panel';
import { RequestsPanel } from './requests-panel';
import { UsageKpis } from './usage-kpis';
import { reportBeforeQuery, reportQuery } from './usage-queries';
import { useUsageSearch } from './use-usage-search';

/** What was used, by whom, and what it cost; down to the single request. All that it shows is in its address. */
export function UsagePage() {
  const controls = useUsageSearch();
  const { search, change } = controls;
  const [call, openCall, closeCall] = useUrlDrawer('call');
  const report = useQuery(reportQuery(search));
  const before = useQuery(reportBeforeQuery(search));
  return (
    <Page
      title="Usage"
      description={<Freshness report={report} zone={search.range.zone} />}
      actions={<ExportMenu search={search} />}
    >
      <Stack gap="md">
        <RangeBar {...controls} />
        <FilterBar {...controls} />
        <UsageKpis report={report.data} before={before.data} isMissing={report.isLoadingError} search={search} />
        <Tabs
          value={search.tab}
          onChange={(tab) => change({ tab: tab === 'requests' ? tab : undefined })}
          keepMounted={false}
        >
          <Tabs.List mb="md">
            <Tabs.Tab value="report" leftSection={<ChartColumn size={15} aria-hidden />}>
              Report
            </Tabs.Tab>
            <Tabs.Tab value="requests" leftSection={<ListTree size={15} aria-hidden />}>
              Requests
            </Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="report">
            <ReportPanel report={report} {...controls} />
          </Tabs.Panel>
          <Tabs.Panel value="requests">
            <RequestsPanel search={search} call={call} onOpen={openCall} />
          </Tabs.Panel>
        </Tabs>
      </Stack>
      <CallDrawer id={call} zone={search.range.zone} onClose={closeCall} />
    </Page>
  );
}
