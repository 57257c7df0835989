import { Card, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Delta } from './delta';
import classes from './kpi.module.css';
import { Sparkline } from './sparkline';

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
