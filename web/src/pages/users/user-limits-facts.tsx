import { Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { userLimitsQuery } from '../../api/limits';
import { BudgetBars } from '../../kit/budget-bars';
import { limitTexts } from '../../kit/limits';
import { RateBars } from '../../kit/rate-bars';

/** A user's limits, from the plan or its own, and the spending. */
export function UserLimitsFacts({ userId }: { userId: string }) {
  const { data } = useQuery(userLimitsQuery(userId));
  if (!data) return null;
  const texts = limitTexts(data.values);
  return (
    <Stack gap="sm">
      <Title order={3} size="h4">
        Limits
      </Title>
      <Text size="sm">{texts.length > 0 ? texts.join(', ') : 'No limits, no budgets'}</Text>
      <RateBars rates={data.rates} />
      <BudgetBars budgets={data.budgets} />
    </Stack>
  );
}
