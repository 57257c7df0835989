import ListTree from 'icon:list-tree';
import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ButtonLink } from '../../kit/links';
import { Page } from '../../kit/page';
import { comparedWith } from './compared-with';
import { ControlBar } from './control-bar';
import { ExportMenu } from './export-menu';
import { Freshness } from './freshness';
import { ReportPanel } from './report-panel';
import { reportBeforeQuery, reportQuery } from './usage-queries';
import { requestsOf, useUsageSearch } from './use-usage-search';

/** Usage and cost by user, key and model. The address holds the whole state. */
export function UsagePage() {
  const controls = useUsageSearch();
  const { search } = controls;
  const report = useQuery(reportQuery(search));
  const before = useQuery(reportBeforeQuery(search));
  const compared = comparedWith(search, before.data);
  return (
    <Page
      title="Usage"
      description={<Freshness report={report} zone={search.range.zone} />}
      actions={
        <>
          <ButtonLink
            to="/requests"
            search={requestsOf(search)}
            variant="default"
            leftSection={<ListTree size={15} aria-hidden />}
          >
            Requests
          </ButtonLink>
          <ExportMenu search={search} />
        </>
      }
    >
      <Stack gap="md">
        <ControlBar {...controls} comparedWith={compared} />
        <ReportPanel report={report} before={before.data} comparedWith={compared} {...controls} />
      </Stack>
    </Page>
  );
}
