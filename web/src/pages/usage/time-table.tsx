import { Paper, Skeleton } from '@mantine/core';
import { useMemo } from 'react';
import { toTimePoints } from '../../charts/axis';
import type { Series } from '../../charts/series';
import { formatValue } from '../../kit/numbers';
import { type ZoneChoice, zoneName } from '../../kit/range';
import { Table } from '../../kit/table';
import type { Metric } from './metrics';
import { toSeries, type UsageReport } from './to-series';
import classes from './usage.module.css';

interface TimeTableProps {
  report: UsageReport | undefined;
  metric: Metric;
  zone: ZoneChoice;
}

/** The chart's numbers for each point, newest first. */
export function TimeTable({ report, metric, zone }: TimeTableProps) {
  const series = useMemo(() => (report ? toSeries(report, metric) : []), [report, metric]);
  const rows = useMemo(() => (report ? toRows(report, series, zone) : []), [report, series, zone]);
  if (!report) return <Skeleton h={320} radius="lg" />;
  const sums = metric.kind === 'amount' && series.length > 1;
  return (
    <Paper className={classes.timeTable} role="region" aria-label={`${metric.label} over time`} tabIndex={0}>
      <Table stickyHeader verticalSpacing={7}>
        <Table.Caption className={classes.caption}>{metric.label} over time</Table.Caption>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">Time</Table.Th>
            {series.map(({ id, label }) => (
              <Table.Th key={id} scope="col" ta="right">
                {label}
              </Table.Th>
            ))}
            {sums && (
              <Table.Th scope="col" ta="right">
                Total
              </Table.Th>
            )}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map(({ start, title, values }) => (
            <Table.Tr key={start}>
              <Table.Th scope="row">
                <time dateTime={start}>{title}</time>
              </Table.Th>
              {values.map((value, index) => (
                <Table.Td key={series[index]?.id} ta="right" data-zero={value ? undefined : true}>
                  {formatValue(value, metric.unit)}
                </Table.Td>
              ))}
              {sums && (
                <Table.Td ta="right" fw={600}>
                  {formatValue(
                    values.reduce<number>((sum, value) => sum + (value ?? 0), 0),
                    metric.unit,
                  )}
                </Table.Td>
              )}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Paper>
  );
}

function toRows(report: UsageReport, series: readonly Series[], zone: ZoneChoice) {
  const starts = report.series.map(({ start }) => start);
  const points = toTimePoints(starts, report.granularity, zoneName(zone));
  return starts
    .map((start, index) => ({
      start,
      title: points[index]?.title ?? start,
      values: series.map(({ values }) => values[index] ?? null),
    }))
    .reverse();
}
