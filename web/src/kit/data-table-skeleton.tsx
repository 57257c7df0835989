import { Group, Skeleton, Stack } from '@mantine/core';

const ROWS = ['first', 'second', 'third', 'fourth', 'fifth'];

export function DataTableSkeleton({ label, columns }: { label: string; columns: number }) {
  const widths = Array.from({ length: Math.min(columns, 5) }, (_, index) => `${[24, 18, 14, 16, 12][index]}%`);
  return (
    <Stack gap="lg" p="md" role="status" aria-busy="true" aria-label={`Loading ${label}`}>
      {ROWS.map((row) => (
        <Group key={row} justify="space-between" wrap="nowrap">
          {widths.map((width) => (
            <Skeleton key={width} h={12} w={width} />
          ))}
        </Group>
      ))}
    </Stack>
  );
}
