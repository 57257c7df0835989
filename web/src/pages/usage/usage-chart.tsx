import '../../charts/series.css';
import { Group, Skeleton, Text, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { useMemo, useState } from 'react';
import { toTimePoints } from '../../charts/axis';
import type { Series } from '../../charts/series';
import { TimeChart } from '../../charts/time-chart';
import { formatOnAxis, formatValue } from '../../kit/numbers';
import { ButtonLink } from '../../kit/page';
import { type ZoneChoice, zoneName } from '../../kit/range';
import type { Metric } from './metrics';
import { toSeries, type UsageReport } from './to-series';
import classes from './usage.module.css';

interface LegendItem {
  id: string;
  label: string;
  color: string;
  value: string;
}

interface LegendProps {
  items: readonly LegendItem[];
  /** The ids of the hidden series. */
  hidden: ReadonlySet<string>;
  onSwitch: (id: string) => void;
}

/** The names of a chart's colors; a click hides or shows a series. */
function Legend({ items, hidden, onSwitch }: LegendProps) {
  return (
    <ul className={classes.legend} aria-label="Series of the chart">
      {items.map(({ id, label, color, value }) => (
        <li key={id}>
          <UnstyledButton
            className={classes.legendItem}
            aria-pressed={!hidden.has(id)}
            title={hidden.has(id) ? `Show ${label}` : `Hide ${label}`}
            onClick={() => onSwitch(id)}
          >
            <Swatch color={color} />
            <span className={classes.legendLabel}>{label}</span>
            <span className={classes.legendValue}>{value}</span>
          </UnstyledButton>
        </li>
      ))}
    </ul>
  );
}

/** A sample of a series' style. */
export function Swatch({ color }: { color: string | undefined }) {
  return <span className={classes.swatch} style={{ background: color }} aria-hidden />;
}

const HEIGHT = 300;

interface UsageChartProps {
  report: UsageReport | undefined;
  metric: Metric;
  zone: ZoneChoice;
  /** Whether filters apply. */
  isFiltered: boolean;
  /** Whether a newer report is loading. */
  isOutdated: boolean;
}

/** The chart of one metric, with its legend; without requests it shows empty axes and what to do. */
export function UsageChart({ report, metric, zone, isFiltered, isOutdated }: UsageChartProps) {
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const switchSeries = (id: string) => setHidden(hidden.symmetricDifference(new Set([id])));
  const chart = useMemo(
    () =>
      report && {
        points: toTimePoints(
          report.series.map(({ start }) => start),
          report.granularity,
          zoneName(zone),
        ),
        series: toSeries(report, metric),
      },
    [report, metric, zone],
  );
  if (!report || !chart) return <Skeleton h={HEIGHT + 44} />;
  const isEmpty = report.totals.requests + report.totals.refused === 0;
  return (
    <figure className={classes.figure} data-outdated={isOutdated || undefined}>
      <VisuallyHidden component="figcaption">
        {metric.label} over time. The tables below show the same numbers.
      </VisuallyHidden>
      <div className={classes.plot} aria-hidden>
        <TimeChart
          kind={metric.kind === 'amount' ? 'bars' : 'lines'}
          points={chart.points}
          series={chart.series.filter(({ id }) => !hidden.has(id))}
          unit={metric.unit}
          format={(value) => formatValue(value, metric.unit)}
          formatTick={(value) => formatOnAxis(value, metric.unit)}
          height={HEIGHT}
        />
      </div>
      {isEmpty ? (
        <NoRequests isFiltered={isFiltered} />
      ) : (
        <Legend items={toLegend(report, chart.series, metric)} hidden={hidden} onSwitch={switchSeries} />
      )}
    </figure>
  );
}

/** Each series with its total over the range. */
function toLegend({ groups }: UsageReport, series: readonly Series[], metric: Metric): LegendItem[] {
  const wholes = new Map(groups.map(({ id, totals }) => [id, metric.of(totals)]));
  return series.map(({ id, label, swatch, values }) => ({
    id,
    label,
    color: swatch,
    value: formatValue(wholes.has(id) ? (wholes.get(id) ?? null) : sumOf(values), metric.unit),
  }));
}

function sumOf(values: readonly (number | null)[]): number {
  return values.reduce<number>((sum, value) => sum + (value ?? 0), 0);
}

function NoRequests({ isFiltered }: { isFiltered: boolean }) {
  return (
    <div className={classes.noRequests}>
      <Text fw={600}>No requests in this range</Text>
      <Text size="sm" c="dimmed" mb="sm">
        {isFiltered ? 'No requests match the filters.' : 'Choose a longer range, or send a request now.'}
      </Text>
      <Group justify="center">
        <ButtonLink to="/playground" size="xs">
          Open Playground
        </ButtonLink>
      </Group>
    </div>
  );
}
