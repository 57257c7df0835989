import { Card, Group, Skeleton, Text } from '@mantine/core';
import { ArrowDownRight, ArrowRight, ArrowUpRight } from 'lucide-react';
import type { ReactNode } from 'react';
import classes from './kpi.module.css';
import { formatPercent } from './numbers';
import { Sparkline } from './sparkline';

interface KpiProps {
  label: string;
  value: ReactNode;
  /** Change against the period before: 0.12 is 12% more; null when there is nothing to compare with. */
  delta?: number | null;
  /** Whether more is good, bad, or just more. */
  more?: 'good' | 'bad' | 'neutral';
  /** What the delta compares with: "vs. yesterday". */
  comparedWith?: string;
  trend?: readonly number[];
  note?: ReactNode;
  isLoading?: boolean;
}

/** One number that matters, with where it comes from. */
export function Kpi({ label, value, delta, more = 'neutral', comparedWith, trend, note, isLoading }: KpiProps) {
  return (
    <Card padding="md" className={classes.card}>
      <Text size="sm" c="dimmed" fw={500}>
        {label}
      </Text>
      <Group justify="space-between" align="flex-end" gap="xs" wrap="nowrap" mt={6}>
        {isLoading ? <Skeleton h={28} w={88} /> : <div className={classes.value}>{value}</div>}
        {trend && !isLoading && <Sparkline values={trend} label={`${label}, its course`} width={84} />}
      </Group>
      <div className={classes.foot}>
        {delta !== undefined && delta !== null && !isLoading && <Delta delta={delta} more={more} />}
        {comparedWith && <span>{comparedWith}</span>}
        {note && <span>{note}</span>}
      </div>
    </Card>
  );
}

function Delta({ delta: exact, more }: { delta: number; more: 'good' | 'bad' | 'neutral' }) {
  // As exact as it is shown, so that what reads as 0% is no change.
  const delta = Math.round(exact * 1000) / 1000 || 0;
  const Icon = delta > 0 ? ArrowUpRight : delta < 0 ? ArrowDownRight : ArrowRight;
  const isGood = more === 'good' ? delta > 0 : delta < 0;
  const tone = more === 'neutral' || delta === 0 ? 'neutral' : isGood ? 'good' : 'bad';
  return (
    <span className={classes.delta} data-tone={tone}>
      <Icon size={14} aria-hidden="true" />
      {delta > 0 && '+'}
      {formatPercent(delta)}
    </span>
  );
}
