import { Card, Group, SegmentedControl, SimpleGrid, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useSession } from '../api/session';
import { TimeChart } from '../charts/time-chart';
import { toTimePoints } from '../charts/time-labels';
import { errorRateOf } from '../kit/error-rate';
import { Kpi } from '../kit/kpi';
import { TextLink } from '../kit/links';
import { formatCompact, formatNumber, formatPercent, formatUsd } from '../kit/numbers';
import { QueryStates } from '../kit/query-states';
import { zoneName } from '../kit/range';
import { Section } from '../kit/section';
import { formatOnAxis } from '../kit/units';
import {
  groupingOf,
  monthOfUseQuery,
  searchOf,
  type UsageGrouping,
  type UsageReport,
  type UsageTotals,
  type Whose,
} from './activity-queries';
import { groupSeries } from './group-series';
import { UseByGroup } from './use-by-group';

const HEIGHT = 200;

const AMOUNTS = [
  { value: 'requests', label: 'Requests' },
  { value: 'cost', label: 'Cost' },
  { value: 'tokens', label: 'Tokens' },
] as const;
type Amount = (typeof AMOUNTS)[number]['value'];

/** The last 30 days of a key, user or model: the sums, a chart by day, and a table by model, key or user. */
export function MonthOfUse({ whose }: { whose: Whose }) {
  const isAdmin = useSession().user.role === 'admin';
  const query = useQuery(monthOfUseQuery(whose, isAdmin));
  const grouping = groupingOf(whose, isAdmin);
  const search = searchOf(whose, isAdmin);
  return (
    <Section
      title="Usage, last 30 days"
      aside={
        <TextLink to="/usage" search={{ ...search, by: grouping }} size="sm">
          Open in Usage
        </TextLink>
      }
    >
      <QueryStates query={query}>
        {(report) => (
          <Stack gap="md">
            <Sums totals={report.totals} />
            {report.groups.length > 0 && <ByDay report={report} grouping={grouping} search={search} />}
          </Stack>
        )}
      </QueryStates>
    </Section>
  );
}

function Sums({ totals }: { totals: UsageTotals }) {
  const { requests, refused, errors } = totals;
  const errorRate = errorRateOf(totals);
  return (
    <SimpleGrid cols={{ base: 2, md: 4 }} spacing="sm">
      <Kpi label="Requests" value={formatNumber(requests)} note={refused > 0 && `${formatNumber(refused)} refused`} />
      <Kpi label="Cost" value={formatUsd(totals.costUsd)} />
      <Kpi label="Tokens" value={formatCompact(tokensOf(totals))} />
      <Kpi
        label="Success"
        value={errorRate === null ? '–' : formatPercent(1 - errorRate)}
        note={errors > 0 && `${formatNumber(errors)} failed`}
      />
    </SimpleGrid>
  );
}

interface ByDayProps {
  report: UsageReport;
  grouping: UsageGrouping;
  search: Record<string, string>;
}

function ByDay({ report, grouping, search }: ByDayProps) {
  const [amount, setAmount] = useState<Amount>('requests');
  const chart = useMemo(
    () => ({
      points: toTimePoints(
        report.series.map(({ start }) => start),
        report.granularity,
        zoneName('local'),
      ),
      series: groupSeries(report, (totals) => amountOf(totals, amount)),
    }),
    [report, amount],
  );
  const isCost = amount === 'cost';
  return (
    <Card padding="md">
      <Group justify="space-between" gap="xs" mb="sm">
        <Text size="sm" fw={500}>
          By day and {grouping}
        </Text>
        <SegmentedControl
          size="xs"
          aria-label="Shown amount"
          data={[...AMOUNTS]}
          value={amount}
          onChange={(value) => setAmount(value as Amount)}
        />
      </Group>
      <div aria-hidden>
        <TimeChart
          kind="bars"
          points={chart.points}
          series={chart.series}
          unit={isCost ? 'usd' : 'count'}
          format={isCost ? formatUsd : formatNumber}
          formatTick={(value) => formatOnAxis(value, isCost ? 'usd' : 'count')}
          height={HEIGHT}
        />
      </div>
      <UseByGroup report={report} grouping={grouping} series={chart.series} search={search} />
    </Card>
  );
}

function amountOf(totals: UsageTotals, amount: Amount): number {
  if (amount === 'cost') return totals.costUsd;
  return amount === 'tokens' ? tokensOf(totals) : totals.requests;
}

function tokensOf({ inputTokens, outputTokens }: UsageTotals): number {
  return inputTokens + outputTokens;
}
