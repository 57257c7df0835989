import { SimpleGrid, Skeleton, Stack } from '@mantine/core';

const CARDS = ['requests', 'tokens', 'cost', 'errors'];

/** The page's layout while its numbers load. */
export function OverviewSkeleton() {
  return (
    <Stack gap="xl">
      {['today', 'month'].map((span) => (
        <div key={span}>
          <Skeleton h={20} w={90} mb="sm" />
          <SimpleGrid cols={{ base: 2, lg: 4 }} spacing="md">
            {CARDS.map((card) => (
              <Skeleton key={card} h={112} radius="lg" />
            ))}
          </SimpleGrid>
        </div>
      ))}
      <Skeleton h={130} radius="lg" />
    </Stack>
  );
}
