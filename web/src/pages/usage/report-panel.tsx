import { Card, SegmentedControl, Stack } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { ErrorState } from '../../kit/error-state';
import { RefusedNote } from '../../kit/refused-note';
import { Select } from '../../kit/select';
import { UnpricedNote } from '../../kit/unpriced-note';
import { GroupTable } from './group-table';
import { MetricChoice } from './metric-choice';
import { MetricStrip } from './metric-strip';
import { metricBy } from './metrics';
import { TimeTable } from './time-table';
import type { UsageReport } from './to-series';
import { UnchargedNote } from './uncharged-note';
import classes from './usage.module.css';
import { UsageChart } from './usage-chart';
import { type FilterName, type Grouping, groupingsFor, requestsOf, type UsageControls } from './use-usage-search';

export const GROUPING_LABELS: Record<Grouping, string> = {
  model: 'Model',
  key: 'Key',
  user: 'User',
  project: 'Project',
  upstream: 'Upstream',
  status: 'Status',
  api: 'API',
};

/** The filter of a grouping's groups. */
const FILTER_OF: Partial<Record<Grouping, FilterName>> = {
  model: 'models',
  key: 'keys',
  user: 'users',
  project: 'projects',
  status: 'statuses',
  upstream: 'upstreams',
  api: 'apis',
};

function wordOf(grouping: Grouping): string {
  return grouping === 'api' ? 'API' : GROUPING_LABELS[grouping].toLowerCase();
}

interface ReportPanelProps extends UsageControls {
  report: Pick<UseQueryResult<UsageReport>, 'data' | 'error' | 'isFetching' | 'isPlaceholderData' | 'refetch'>;
  before: UsageReport | undefined;
  comparedWith: string;
}

/** The chart and, below it, the same numbers as a table. */
export function ReportPanel({ report, before, comparedWith, search, isAdmin, change, filterBy }: ReportPanelProps) {
  const { groupBy, metric: metricId, table } = search;
  const metric = metricBy(metricId, groupBy);
  const filter = FILTER_OF[groupBy];
  const chosen = filter ? search.filters[filter] : [];
  const choose = filter
    ? (id: string) => filterBy(filter, chosen.length === 1 && chosen[0] === id ? [] : [id])
    : undefined;
  if (report.error && !report.data) {
    return (
      <Card>
        <ErrorState error={report.error} isRetrying={report.isFetching} onRetry={() => report.refetch()} />
      </Card>
    );
  }
  return (
    <Stack gap="md">
      <div>
        <MetricStrip report={report.data} before={before} comparedWith={comparedWith} search={search} change={change} />
        <UnpricedNote calls={report.data?.unpricedCalls} />
        <UnchargedNote usd={report.data?.unchargedUsd} />
      </div>
      <Card>
        <div className={classes.choices}>
          <MetricChoice metric={metricId} change={change} />
          <Select
            aria-label="Group by"
            allowDeselect={false}
            value={groupBy}
            onChange={(value) => change({ by: value === 'model' || value === null ? undefined : value })}
            data={groupingsFor(isAdmin).map((value) => ({
              value,
              label: `By ${wordOf(value)}`,
            }))}
          />
        </div>
        <UsageChart
          report={report.data}
          metric={metric}
          zone={search.range.zone}
          isFiltered={Object.values(search.filters).some((ids) => ids.length > 0)}
          isOutdated={report.isPlaceholderData}
        />
      </Card>
      <RefusedNote refused={report.data?.totals.refused} search={requestsOf(search)} />
      {(!report.data || report.data.totals.requests + report.data.totals.refused > 0) && (
        <Stack gap="sm">
          <SegmentedControl
            aria-label="Table"
            w="fit-content"
            value={table}
            onChange={(value) => change({ table: value === 'time' ? value : undefined })}
            data={[
              { value: 'groups', label: `By ${wordOf(groupBy)}` },
              { value: 'time', label: 'Over time' },
            ]}
          />
          {table === 'time' ? (
            <TimeTable report={report.data} metric={metric} zone={search.range.zone} />
          ) : (
            <GroupTable
              report={report}
              search={search}
              metric={metric}
              heading={GROUPING_LABELS[groupBy]}
              onChoose={choose}
            />
          )}
        </Stack>
      )}
    </Stack>
  );
}
