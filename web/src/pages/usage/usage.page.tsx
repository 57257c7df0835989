import Download from 'icon:download';
import ListTree from 'icon:list-tree';
import RotateCw from 'icon:rotate-cw';
import { ActionIcon, Button, Group, Loader, Stack, Text } from '@mantine/core';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { mayAll, useSession } from '../../api/session';
import { formatMs } from '../../kit/numbers';
import { DropPanel, Tip } from '../../kit/on-demand';
import { ButtonLink, Page } from '../../kit/page';
import { type Preset, type ZoneChoice, zoneName } from '../../kit/range';
import { formatClock } from '../../kit/times';
import { ControlBar } from './control-bar';
import { ReportPanel } from './report-panel';
import type { UsageReport } from './to-series';
import classes from './usage.module.css';
import { cacheReportQuery, reportBeforeQuery, reportQuery } from './usage-queries';
import { requestsOf, type UsageSearch, useUsageSearch } from './use-usage-search';

const COMPARED_WITH: Record<Preset, string> = {
  today: 'the same hours of yesterday',
  '7d': 'the previous 7 days, up to the same hour',
  '30d': 'the previous 30 days, up to the same hour',
  month: 'the same days of last month',
  'last-month': 'the month before',
  'billing-month': 'the same days of last month, in UTC',
  custom: 'the previous period of the same length',
};

/** The period that a range is compared with, in words: from when to when, once that is known. */
function comparedWith({ range }: UsageSearch, before: UsageReport | undefined): string {
  const words = COMPARED_WITH[range.preset];
  if (!before) return words;
  const format = new Intl.DateTimeFormat(undefined, {
    timeZone: zoneName(range.zone),
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  return `${words}: ${format.formatRange(Date.parse(before.from), Date.parse(before.to))}`;
}

const ExportPanel = lazy(() => import('./export-panel').then((module) => ({ default: module.ExportPanel })));

/** Downloads of the sums in the range, with its filters. Single requests have a page of their own. */
function ExportMenu({ search }: { search: UsageSearch }) {
  return (
    <DropPanel
      position="bottom-end"
      width={280}
      dropdown={{ 'aria-label': 'Export' }}
      target={
        <Button variant="default" className={classes.control}>
          <Download size={15} aria-hidden />
          <span className={classes.controlLabel}>Export</span>
        </Button>
      }
    >
      <Suspense fallback={<Loader size="sm" />}>
        <ExportPanel search={search} />
      </Suspense>
    </DropPanel>
  );
}

interface FreshnessProps {
  report: Pick<UseQueryResult<UsageReport>, 'data' | 'isLoadingError' | 'isFetching' | 'refetch'>;
  zone: ZoneChoice;
}

/** The time up to which the numbers are complete, and a button to load newer ones. */
function Freshness({ report: { data, isLoadingError, isFetching, refetch }, zone }: FreshnessProps) {
  return (
    <Group gap={4} mih={28}>
      <Text span inherit>
        {data && `Up to date as of ${clock(data.upToDateAt, zone)}${behind(data.replicaLagSeconds)}`}
        {!data && (isLoadingError ? 'No data available' : 'Loading the latest data…')}
      </Text>
      <Tip label="Load the latest data">
        <ActionIcon aria-label="Load the latest data" disabled={isFetching} onClick={() => refetch()}>
          <RotateCw size={14} aria-hidden className={isFetching ? classes.turning : undefined} />
        </ActionIcon>
      </Tip>
    </Group>
  );
}

/** For a replica that lags; its lag is known to within two seconds. */
function behind(seconds: number | null): string {
  return seconds === null || seconds <= 2 ? '' : ` · read from a replica, ${formatMs(seconds * 1000)} behind`;
}

function clock(at: string, zone: ZoneChoice): string {
  const time = formatClock(new Date(at), zone);
  return zone === 'utc' ? `${time} UTC` : time;
}

/** Below everything else, for administrators, once the cache was used. */
const CachePanel = lazy(async () => ({ default: (await import('./cache-panel')).CachePanel }));

/** Usage and cost by user, key and model. The address holds the whole state. */
export function UsagePage() {
  const isAdmin = mayAll(useSession(), 'usage.read');
  const controls = useUsageSearch();
  const { search } = controls;
  const report = useQuery(reportQuery(search));
  const before = useQuery(reportBeforeQuery(search));
  const { data: cache } = useQuery({ ...cacheReportQuery, enabled: isAdmin });
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
        {cache && cache.models.length > 0 && (
          <Suspense fallback={null}>
            <CachePanel report={cache} />
          </Suspense>
        )}
      </Stack>
    </Page>
  );
}
