import { Card, Skeleton, Stack, Text, UnstyledButton } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { Money, Quantity } from '../../kit/figures';
import { Delta } from '../../kit/kpi';
import { RefusedNote, UnpricedNote } from '../../kit/notes';
import { changeOf, formatPercent, formatUsd, formatValue } from '../../kit/numbers';
import { SegmentedControl } from '../../kit/segmented-control';
import { Select } from '../../kit/select';
import { ErrorState } from '../../kit/states';
import { GroupTable } from './group-table';
import { FAMILIES, type Family, type MetricId, metricBy, metricOf, type Totals } from './metrics';
import { TimeTable } from './time-table';
import type { UsageReport } from './to-series';
import classes from './usage.module.css';
import { UsageChart } from './usage-chart';
import { type FilterName, type Grouping, groupingsFor, requestsOf, type UsageControls } from './use-usage-search';

interface MetricChoiceProps extends Pick<UsageControls, 'change'> {
  metric: MetricId;
}

/** The chart's metric, with a choice if there are several of its kind. */
function MetricChoice({ metric, change }: MetricChoiceProps) {
  const kind = FAMILIES.find(({ metrics }) => metrics.includes(metric))?.metrics ?? [metric];
  if (kind.length === 1) return <Text className={classes.shown}>{metricOf(metric).label}</Text>;
  return (
    <Select
      aria-label="Which metric"
      allowDeselect={false}
      value={metric}
      onChange={(value) => value !== null && change({ metric: value })}
      data={kind.map((value) => ({ value, label: metricOf(value).label }))}
    />
  );
}

interface MetricStripProps extends Pick<UsageControls, 'search' | 'change'> {
  report: UsageReport | undefined;
  /** The totals of the previous period, for comparison. */
  before: UsageReport | undefined;
  comparedWith: string;
}

/** The range in six numbers, each against the previous period; the pressed one is in the chart. */
function MetricStrip({ report, before, comparedWith, search, change }: MetricStripProps) {
  const previous =
    search.compare && before && before.totals.requests + before.totals.refused > 0 ? before.totals : undefined;
  return (
    <div>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset has a frame and a legend of its own */}
      <div className={classes.strip} role="group" aria-label="Metric">
        {FAMILIES.map((family) => (
          <UnstyledButton
            key={family.label}
            className={classes.cell}
            aria-pressed={family.metrics.includes(search.metric)}
            onClick={() => change({ metric: family.metrics[0] === 'cost' ? undefined : family.metrics[0] })}
          >
            <span className={classes.label}>{family.label}</span>
            {report ? <FamilyValue family={family} totals={report.totals} /> : <Skeleton h={22} w={56} />}
            <Change family={family} totals={report?.totals} previous={previous} />
          </UnstyledButton>
        ))}
      </div>
      {previous && (
        <Text size="xs" c="dimmed" mt={6} visibleFrom="sm">
          Compared with {comparedWith}.
        </Text>
      )}
    </div>
  );
}

interface FamilyProps {
  family: Family;
  totals: Totals;
}

function FamilyValue({ family: { unit, of }, totals }: FamilyProps) {
  const value = of(totals);
  return <span className={classes.value}>{value === null ? '–' : toText(value, unit)}</span>;
}

function toText(value: number, unit: Family['unit']) {
  if (unit === 'usd') return <Money usd={value} />;
  if (unit === 'share') return formatPercent(value);
  return unit === 'ms' ? formatValue(value, unit) : <Quantity value={value} />;
}

interface ChangeProps {
  family: Family;
  totals: Totals | undefined;
  previous: Totals | undefined;
}

/** Takes its space even when it is empty, so that nothing moves. */
function Change({ family: { of, more, note }, totals, previous }: ChangeProps) {
  const delta = totals && previous ? changeOf(of(totals), of(previous)) : null;
  return (
    <span className={classes.foot}>
      {delta !== null && <Delta delta={delta} more={more} />}
      {totals && note?.(totals)}
    </span>
  );
}

/** Shown below the costs: the additional amount that upstreams may bill. */
function UnchargedNote({ usd }: { usd: number | null | undefined }) {
  if (!usd) return null;
  return (
    <Text size="sm" mt="xs" c="dimmed">
      Upstreams may bill an estimated {formatUsd(usd)} more that no caller is charged for: failed attempts, attempts
      that lost to a hedge, and calls that their callers aborted.
    </Text>
  );
}

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
            data={groupingsFor(isAdmin, search.scope).map((value) => ({
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
