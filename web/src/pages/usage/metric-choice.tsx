import { Text } from '@mantine/core';
import { Select } from '../../kit/select';
import { FAMILIES, type MetricId, metricOf } from './metrics';
import classes from './usage.module.css';
import type { UsageControls } from './use-usage-search';

interface MetricChoiceProps extends Pick<UsageControls, 'change'> {
  metric: MetricId;
}

/** The chart's metric, with a choice if there are several of its kind. */
export function MetricChoice({ metric, change }: MetricChoiceProps) {
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
