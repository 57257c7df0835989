import { Stack } from '@mantine/core';
import type { Whose } from './activity-queries';
import { MonthOfUse } from './month-of-use';
import { RecentFailures } from './recent-failures';

/** The usage and errors of a key, a user or a model in the last 30 days. */
export function UsageAndErrors({ whose }: { whose: Whose }) {
  return (
    <Stack gap="xl">
      <MonthOfUse whose={whose} />
      <RecentFailures whose={whose} />
    </Stack>
  );
}
