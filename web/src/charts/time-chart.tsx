import '@mantine/charts/styles.css';
import './series.css';
import { BarChart, LineChart } from '@mantine/charts';
import type { Series } from './series';
import classes from './time-chart.module.css';
import { TimeTooltip } from './time-tooltip';

export interface TimePoint {
  /** Short, for the axis. */
  tick: string;
  /** In full, for the tooltip. */
  title: string;
}

export interface TimeChartProps {
  kind: 'bars' | 'lines';
  points: readonly TimePoint[];
  series: readonly Series[];
  /** Of the tooltip. */
  format: (value: number) => string;
  /** Of the axis. */
  formatTick: (value: number) => string;
  height: number;
}

type Row = Record<string, number | string | null>;

/** Series over time: bars that add up, or lines for what does not. Its numbers are also in a table, which is for everybody. */
export function TimeChart({ kind, points, series, format, formatTick, height }: TimeChartProps) {
  const isEmpty = series.every(({ values }) => values.every((value) => !value));
  const shared = {
    h: height,
    data: toRows(points, series),
    dataKey: 'index',
    series: series.map(({ label, color, dashes }, index) => ({
      name: `s${index}`,
      label,
      color,
      strokeDasharray: dashes,
    })),
    valueFormatter: formatTick,
    strokeDasharray: '0',
    gridColor: 'var(--console-border)',
    tickLine: 'none' as const,
    className: classes.chart,
    accessibilityLayer: false,
    xAxisProps: {
      tickFormatter: (index: number) => points[index]?.tick ?? '',
      minTickGap: 28,
      interval: 'equidistantPreserveStart' as const,
      tickMargin: 8,
    },
    yAxisProps: { width: 64, tickCount: 5, domain: [0, isEmpty ? 1 : 'auto'] as [number, number | string] },
    tooltipProps: {
      content: ({ active, label }: { active?: boolean; label?: unknown }) =>
        active ? (
          <TimeTooltip index={Number(label)} points={points} series={series} format={format} sums={kind === 'bars'} />
        ) : null,
      isAnimationActive: false,
    },
  };
  if (kind === 'lines') {
    return (
      <LineChart
        {...shared}
        curveType="linear"
        withDots={points.length <= 62}
        dotProps={{ r: 2.5 }}
        connectNulls={false}
        lineProps={{ isAnimationActive: false }}
      />
    );
  }
  return (
    <BarChart
      {...shared}
      type="stacked"
      maxBarWidth={44}
      barProps={{ isAnimationActive: false, stroke: 'var(--chart-gap)', strokeWidth: 1 }}
    />
  );
}

/** Plain names for the series: a dot in a model's id would be read as a path. */
function toRows(points: readonly TimePoint[], series: readonly Series[]): Row[] {
  return points.map((_, index) => ({
    index,
    ...Object.fromEntries(series.map(({ values }, number) => [`s${number}`, values[index] ?? null])),
  }));
}
