import { Card, Group as Row, Text } from '@mantine/core';
import { useMemo, useState } from 'react';
import { toTimePoints } from '../charts/axis';
import type { Series } from '../charts/series';
import { TimeChart } from '../charts/time-chart';
import { errorRateOf, formatCompact, formatNumber, formatOnAxis, formatPercent, formatUsd } from '../kit/numbers';
import { TextLink } from '../kit/page';
import { zoneName } from '../kit/range';
import { SegmentedControl } from '../kit/segmented-control';
import { Table } from '../kit/table';
import { groupSeries, tokensOf, type UsageGrouping, type UsageReport, type UsageTotals } from './activity-queries';
import classes from './use-by-group.module.css';

const HEIGHT = 200;

const AMOUNTS = [
  { value: 'requests', label: 'Requests' },
  { value: 'cost', label: 'Cost' },
  { value: 'tokens', label: 'Tokens' },
] as const;
type Amount = (typeof AMOUNTS)[number]['value'];

interface UseByDayProps {
  report: UsageReport;
  grouping: UsageGrouping;
  search: Record<string, string>;
  /** How many groups the table shows; by default all of the report's. */
  most?: number;
}

/** A chart by day, and a table of the same by model, key or user. */
export function UseByDay({ report, grouping, search, most }: UseByDayProps) {
  const [amount, setAmount] = useState<Amount>(most === undefined ? 'requests' : 'cost');
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
      <Row justify="space-between" gap="xs" mb="sm">
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
      </Row>
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
      <UseByGroup report={report} grouping={grouping} series={chart.series} search={search} most={most} />
    </Card>
  );
}

function amountOf(totals: UsageTotals, amount: Amount): number {
  if (amount === 'cost') return totals.costUsd;
  return amount === 'tokens' ? tokensOf(totals) : totals.requests;
}

interface UseByGroupProps {
  report: UsageReport;
  grouping: UsageGrouping;
  /** The series of the chart; their colors mark the rows. */
  series: readonly Series[];
  /** The address of a group's requests, for groups without a page of their own. */
  search: Record<string, string>;
  most?: number;
}

type Group = UsageReport['groups'][number];

const GROUP_NAMES: Readonly<Record<UsageGrouping, string>> = {
  model: 'Model',
  key: 'Key',
  user: 'User',
  project: 'Project',
};

/** Requests whose model, key or user does not exist. */
const NONE = '~none';

/** The numbers of the chart by model, key or user: its legend, too. */
export function UseByGroup({ report, grouping, series, search, most }: UseByGroupProps) {
  const swatches = new Map(series.map(({ id, swatch }) => [id, swatch]));
  return (
    <div className={classes.frame}>
      <Table aria-label={`Usage by ${grouping}`}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{GROUP_NAMES[grouping]}</Table.Th>
            <Table.Th scope="col" ta="right">
              Requests
            </Table.Th>
            <Table.Th scope="col" ta="right">
              Cost
            </Table.Th>
            <Table.Th scope="col" ta="right" className={classes.wide}>
              Tokens
            </Table.Th>
            <Table.Th scope="col" ta="right" className={classes.wide}>
              Success
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {report.groups.slice(0, most).map((group) => (
            <Table.Tr key={group.id}>
              <Table.Th scope="row">
                <span className={classes.group}>
                  <span
                    className={classes.mark}
                    style={{ background: swatches.get(group.id) ?? 'var(--series-rest)' }}
                    aria-hidden
                  />
                  <GroupName group={group} grouping={grouping} search={search} />
                </span>
              </Table.Th>
              <Numbers totals={group.totals} />
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}

function GroupName({
  group: { id, label, detail },
  grouping,
  search,
}: { group: Group } & Omit<UseByGroupProps, 'report' | 'series' | 'most'>) {
  if (id === NONE) return label;
  if (grouping === 'model') {
    return (
      <TextLink to="/models/$" params={{ _splat: id }} inherit>
        {label}
      </TextLink>
    );
  }
  return (
    <span>
      <TextLink to="/requests" search={{ ...search, [`${grouping}s`]: id }} title="Show the requests" inherit>
        {label}
      </TextLink>
      {detail && <span className={classes.detail}> {detail}</span>}
    </span>
  );
}

function Numbers({ totals }: { totals: UsageTotals }) {
  const errorRate = errorRateOf(totals);
  return (
    <>
      <Table.Td ta="right">{formatNumber(totals.requests)}</Table.Td>
      <Table.Td ta="right">{formatUsd(totals.costUsd)}</Table.Td>
      <Table.Td ta="right" className={classes.wide}>
        {formatCompact(tokensOf(totals))}
      </Table.Td>
      <Table.Td ta="right" className={classes.wide}>
        {errorRate === null ? '–' : formatPercent(1 - errorRate)}
      </Table.Td>
    </>
  );
}
