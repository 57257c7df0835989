import ArrowDownRight from 'icon:arrow-down-right';
import ArrowUpRight from 'icon:arrow-up-right';
import { Card, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './kit.module.css';
import { formatPercent } from './numbers';

interface DeltaProps {
  /** Change against the previous period: 0.12 is 12% more. */
  delta: number;
  /** Whether more is good, bad or neutral. */
  more?: 'good' | 'bad' | 'neutral';
}

/** How much a number has changed, and whether that is good. */
export function Delta({ delta: exact, more = 'neutral' }: DeltaProps) {
  // Rounded as it is shown, so that 0% counts as no change.
  const delta = Math.round(exact * 1000) / 1000 || 0;
  if (delta === 0) return <span className={classes.delta}>no change</span>;
  const Icon = delta > 0 ? ArrowUpRight : ArrowDownRight;
  const isGood = more === 'good' ? delta > 0 : delta < 0;
  return (
    <span className={classes.delta} data-tone={more === 'neutral' ? 'neutral' : isGood ? 'good' : 'bad'}>
      <Icon size={14} aria-hidden="true" />
      {delta > 0 && '+'}
      {formatPercent(delta)}
    </span>
  );
}

interface SparklineProps {
  values: readonly number[];
  /** Describes the graph. */
  label: string;
  width?: number;
  height?: number;
}

const PADDING = 2;

/** A small graph of a number's course; the numbers themselves are beside it. */
function Sparkline({ values, label, width = 96, height = 28 }: SparklineProps) {
  if (values.length < 2) return null;
  const points = toPoints(values, width, height);
  const line = points.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(' ');
  return (
    <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} role="img" aria-label={label}>
      <polygon points={`0,${height} ${line} ${width},${height}`} fill="var(--console-accent)" opacity={0.09} />
      <polyline
        points={line}
        fill="none"
        stroke="var(--console-accent)"
        strokeWidth={1.5}
        strokeLinejoin="round"
        strokeLinecap="round"
      />
    </svg>
  );
}

function toPoints(values: readonly number[], width: number, height: number): [number, number][] {
  const highest = Math.max(...values, 0);
  const lowest = Math.min(...values, 0);
  const span = highest - lowest || 1;
  const usable = height - 2 * PADDING;
  return values.map((value, index) => [
    (index / (values.length - 1)) * width,
    PADDING + usable - ((value - lowest) / span) * usable,
  ]);
}

interface KpiProps {
  label: string;
  value: ReactNode;
  /** Change against the previous period: 0.12 is 12% more. */
  delta?: number;
  /** Whether more is good, bad or neutral. */
  more?: 'good' | 'bad' | 'neutral';
  /** What the delta compares with: "vs. yesterday". */
  comparedWith?: string;
  trend?: readonly number[];
  note?: ReactNode;
}

/** One important number, with its trend. */
export function Kpi({ label, value, delta, more = 'neutral', comparedWith, trend, note }: KpiProps) {
  return (
    <Card padding="md" className={classes.card}>
      <Text size="sm" c="dimmed" fw={500}>
        {label}
      </Text>
      <Group justify="space-between" align="flex-end" gap="xs" wrap="nowrap" mt={6}>
        <div className={classes.value}>{value}</div>
        {trend && (
          <div className={classes.trend}>
            <Sparkline values={trend} label={`${label} over time`} width={84} />
          </div>
        )}
      </Group>
      <div className={classes.foot}>
        {delta !== undefined && <Delta delta={delta} more={more} />}
        {comparedWith && <span>{comparedWith}</span>}
        {note && <span>{note}</span>}
      </div>
    </Card>
  );
}
