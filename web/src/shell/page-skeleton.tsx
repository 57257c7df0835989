import { Box, Skeleton, Stack } from '@mantine/core';

/** Stands where a page will be while its code is on the way. */
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
