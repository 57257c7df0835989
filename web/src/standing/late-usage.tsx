import { Skeleton } from '@mantine/core';
import { lazy, Suspense } from 'react';
import type { Whose } from './standing-queries';

/** With the chart it is larger than the rest of the page, and below it. */
const UsageAndErrors = lazy(() => import('./usage-and-errors').then((module) => ({ default: module.UsageAndErrors })));

export function LateUsage({ whose }: { whose: Whose }) {
  return (
    <Suspense fallback={<Skeleton h={480} />}>
      <UsageAndErrors whose={whose} />
    </Suspense>
  );
}
