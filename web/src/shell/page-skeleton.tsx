import { Box, Skeleton, Stack } from '@mantine/core';

/** Shown while a page's code is loading. */
export function PageSkeleton() {
  return (
    <Box aria-busy="true" aria-label="Loading" role="status">
      <Stack gap="lg" maw="76rem" mx="auto">
        <Skeleton h={26} w={180} />
        <Skeleton h={14} w="min(26rem, 80%)" />
        <Skeleton h={260} radius="lg" />
      </Stack>
    </Box>
  );
}
