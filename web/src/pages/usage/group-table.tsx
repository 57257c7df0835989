import ChartColumn from 'icon:chart-column';
import { Button, Group, Text, UnstyledButton } from '@mantine/core';
import { type UseQueryResult, useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { REST_LOOK } from '../../charts/series';
import { DataTable } from '../../kit/data-table';
import type { Column } from '../../kit/data-table-rows';
import { Money, Quantity } from '../../kit/figures';
import { errorRateOf, formatNumber, formatPercent, formatValue, plural } from '../../kit/numbers';
import { ButtonLink } from '../../kit/page';
import { EmptyState } from '../../kit/states';
import { type Metric, type MetricId, type Totals, timedNote } from './metrics';
import { labelOf, NONE, toSeries, type UsageGroup, type UsageReport } from './to-series';
import classes from './usage.module.css';
import { Swatch } from './usage-chart';
import { moreGroupsQuery } from './usage-queries';
import type { UsageSearch } from './use-usage-search';

interface GroupTableProps {
  report: Pick<UseQueryResult<UsageReport>, 'data' | 'error' | 'isFetching' | 'refetch'>;
  search: UsageSearch;
  /** The chart's metric, which decides the order of the groups and their share. */
  metric: Metric;
  /** The heading of the groups: "Model". */
  heading: string;
  onChoose?: (id: string) => void;
}

/** The size of the gateway's pages. */
const GROUPS_A_PAGE = 50;

/** The column of a metric. */
const COLUMN_OF: Record<MetricId, string> = {
  cost: 'cost',
  requests: 'requests',
  tokens: 'tokens',
  input: 'input',
  output: 'output',
  cached: 'cached',
  reasoning: 'reasoning',
  errors: 'errors',
  refused: 'refused',
  p50: 'p50',
  p95: 'p95',
  first50: 'first',
  first95: 'first95',
};

/** On narrow screens, fewer of the columns that the chart does not show. */
const ROOM: Record<string, Pick<Column<UsageGroup>, 'narrow' | 'onCard'>> = {
  input: { onCard: 'hide' },
  cached: { narrow: 'hide', onCard: 'hide' },
  output: { onCard: 'hide' },
  reasoning: { narrow: 'hide', onCard: 'hide' },
  simulated: { narrow: 'hide', onCard: 'hide' },
  timed: { narrow: 'hide', onCard: 'hide' },
  p50: { narrow: 'hide', onCard: 'hide' },
  first: { narrow: 'hide', onCard: 'hide' },
  first95: { narrow: 'hide', onCard: 'hide' },
};

/** Every number of every group; the chart shows one of them. */
export function GroupTable({ report, search, metric, heading, onChoose }: GroupTableProps) {
  const { data } = report;
  const more = useInfiniteQuery(moreGroupsQuery(search));
  const groups = useMemo(() => data && together(data.groups, more.data?.pages ?? []), [data, more.data]);
  const left = data && groups ? data.groups.length + data.groupsLeftOut - groups.length : 0;
  const columns = useMemo(
    () => (data ? columnsOf(data, metric, heading, onChoose) : []),
    [data, metric, heading, onChoose],
  );
  return (
    <div className={classes.dense}>
      <DataTable
        label={`Usage by ${heading.toLowerCase()}`}
        query={{ ...report, data: groups, refetch: report.refetch as never }}
        columns={columns}
        rowKey={({ id }) => id}
        rowLabel={labelOf}
        defaultSort={{ key: COLUMN_OF[metric.id], descending: true }}
        total={
          data && groups && groups.length > 1
            ? { id: 'total', label: 'Total', detail: null, hasSeries: false, totals: data.totals }
            : undefined
        }
        urlPrefix="groups-"
        empty={
          <EmptyState
            icon={ChartColumn}
            title="No usage"
            action={
              <ButtonLink to="/playground" variant="default">
                Open Playground
              </ButtonLink>
            }
          >
            Requests in this range appear here as soon as they are made.
          </EmptyState>
        }
      />
      {data?.others && left > 0 && (
        <Group justify="center" mt="md" gap="sm">
          {!more.data && (
            <Text size="sm" c="dimmed">
              {plural(left, 'other')}: {plural(data.others.requests, 'request')}, <Money usd={data.others.costUsd} />
            </Text>
          )}
          <Button variant="default" size="xs" loading={more.isFetching} onClick={() => more.fetchNextPage()}>
            {more.isError ? 'That did not work. Try again' : `Load ${formatNumber(Math.min(left, GROUPS_A_PAGE))} more`}
          </Button>
        </Group>
      )}
    </div>
  );
}

/** A group may have moved to another page since the report was read. */
function together(first: readonly UsageGroup[], pages: readonly { groups: UsageGroup[] }[]): UsageGroup[] {
  const known = new Set(first.map(({ id }) => id));
  const others = pages.flatMap(({ groups }) => groups).filter(({ id }) => !known.has(id) && known.add(id));
  return [...first, ...others];
}

/** False for what was only refused, of which there is nothing else to count. */
function hasCalls({ totals }: UsageGroup): boolean {
  return totals.requests > 0 || totals.errors > 0;
}

function columnsOf(
  report: UsageReport,
  metric: Metric,
  heading: string,
  onChoose?: (id: string) => void,
): Column<UsageGroup>[] {
  const colors = new Map(toSeries(report, metric).map(({ id, swatch }) => [id, swatch]));
  const number = (key: string, header: string, of: (group: UsageGroup) => number): Column<UsageGroup> => ({
    key,
    header,
    align: 'right',
    sortValue: of,
    cell: (group) => (hasCalls(group) || key === 'refused' ? <Quantity value={of(group)} /> : '–'),
  });
  const time = (key: string, header: string, of: (group: UsageGroup) => number | null): Column<UsageGroup> => ({
    key,
    header,
    align: 'right',
    sortValue: of,
    cell: (group) => (
      <span className={classes.oneLine} title={timedNote(group.totals) ?? undefined}>
        {formatValue(of(group), 'ms')}
      </span>
    ),
  });
  const columns: Column<UsageGroup>[] = [
    {
      key: 'group',
      header: heading,
      sortValue: labelOf,
      onCard: 'title',
      total: () => 'Total',
      cell: (group) => <GroupName group={group} color={colors.get(group.id) ?? REST_LOOK.swatch} onChoose={onChoose} />,
    },
    ...shareColumn(report.totals, metric),
    {
      key: 'cost',
      header: 'Cost',
      align: 'right',
      sortValue: ({ totals }) => totals.costUsd,
      cell: (group) => (hasCalls(group) ? <Money usd={group.totals.costUsd} decimals={4} /> : '–'),
    },
    number('requests', 'Requests', ({ totals }) => totals.requests),
    {
      key: 'errors',
      header: 'Failed',
      align: 'right',
      sortValue: ({ totals }) => totals.errors,
      cell: (group) =>
        hasCalls(group) ? <Errors errors={group.totals.errors} rate={errorRateOf(group.totals)} /> : '–',
    },
    number('refused', 'Refused', ({ totals }) => totals.refused),
    ...(report.totals.simulated > 0 ? [number('simulated', 'Simulated', ({ totals }) => totals.simulated)] : []),
    ...(metric.id === 'tokens' ? [number('tokens', 'Tokens', ({ totals }) => metric.of(totals) ?? 0)] : []),
    number('input', 'Input', ({ totals }) => totals.inputTokens),
    number('cached', 'Cached', ({ totals }) => totals.cachedTokens),
    number('output', 'Output', ({ totals }) => totals.outputTokens),
    number('reasoning', 'Reasoning', ({ totals }) => totals.reasoningTokens),
    number('timed', 'Answered', ({ totals }) => totals.timed),
    time('p50', 'p50', ({ totals }) => totals.p50TotalMs),
    time('p95', 'p95', ({ totals }) => totals.p95TotalMs),
    metric.id === 'first95'
      ? time('first95', 'First token, p95', ({ totals }) => totals.p95FirstTokenMs)
      : time('first', 'First token', ({ totals }) => totals.p50FirstTokenMs),
  ];
  return columns.map((column) => (column.key === COLUMN_OF[metric.id] ? column : { ...column, ...ROOM[column.key] }));
}

/** A group's share of the total, for values that add up. */
function shareColumn(totals: Totals, metric: Metric): Column<UsageGroup>[] {
  const whole = metric.kind === 'amount' ? metric.of(totals) : null;
  if (!whole) return [];
  const cell = ({ totals }: UsageGroup) => formatPercent((metric.of(totals) ?? 0) / whole);
  return [{ key: 'share', header: 'Share', align: 'right', cell }];
}

interface GroupNameProps {
  group: UsageGroup;
  color: string | undefined;
  onChoose?: (id: string) => void;
}

function GroupName({ group, color, onChoose }: GroupNameProps) {
  const label = labelOf(group);
  return (
    <Group gap="xs" wrap="nowrap">
      <Swatch color={color} />
      <div>
        {onChoose && group.id !== NONE ? (
          <UnstyledButton className={classes.groupName} title={`Show only ${label}`} onClick={() => onChoose(group.id)}>
            {label}
          </UnstyledButton>
        ) : (
          label
        )}
        {group.detail && (
          <Text size="xs" c="dimmed">
            {group.detail}
          </Text>
        )}
      </div>
    </Group>
  );
}

function Errors({ errors, rate }: { errors: number; rate: number | null }) {
  if (errors === 0)
    return (
      <Text span c="dimmed" inherit>
        0
      </Text>
    );
  return (
    <span title={rate === null ? undefined : `${formatPercent(rate)} of the requests that failed or succeeded`}>
      {formatNumber(errors)}
    </span>
  );
}
