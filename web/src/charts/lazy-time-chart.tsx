import { Skeleton } from '@mantine/core';
import { lazy, Suspense } from 'react';
import type { TimeChartProps } from './time-chart';

/** Begins to load with the page, beside its numbers. */
const loading = import('./time-chart');

const TimeChart = lazy(async () => ({ default: (await loading).TimeChart }));

/** The chart, whose library is loaded when the first one is shown. */
export function LazyTimeChart(props: TimeChartProps) {
  return (
    <Suspense fallback={<Skeleton h={props.height} />}>
      <TimeChart {...props} />
    </Suspense>
  );
}
