import TriangleAlert from 'icon:triangle-alert';
import { Alert, Card, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type Budget, ownLimitsQuery } from '../../api/limits';
import { BudgetBars, isNearlySpent, spentShare } from '../../kit/budget-bars';
import { limitTexts } from '../../kit/limits';
import { RateBars } from '../../kit/rate-bars';

/** The person's limits and spending; nothing if there are no limits. */
export function BudgetsCard() {
  const { data } = useQuery(ownLimitsQuery);
  if (!data) return null;
  const { budgets, values } = data;
  const rates = limitTexts({ ...values, budgetDayUsd: null, budgetMonthUsd: null, budgetTotalUsd: null });
  if (budgets.length === 0 && rates.length === 0) return null;
  const near = budgets.filter(isNearlySpent);
  return (
    <Card>
      <Stack gap="md">
        <Title order={2} size="h2">
          Your limits
        </Title>
        {near.length > 0 && (
          <Alert icon={<TriangleAlert size={17} aria-hidden="true" />} color="yellow" role="status">
            {warningOf(near)}
          </Alert>
        )}
        {rates.length > 0 && <Text size="sm">All your keys together are limited to {rates.join(', ')}.</Text>}
        <RateBars rates={data.rates} />
        <BudgetBars budgets={budgets} />
      </Stack>
    </Card>
  );
}

/** For budgets that are nearly spent, or more. */
function warningOf(budgets: readonly Budget[]): string {
  const isExceeded = budgets.some(({ amountUsd, spentUsd }) => spentUsd > amountUsd);
  if (!isExceeded && !budgets.some((budget) => spentShare(budget) >= 1)) {
    return budgets.some(({ uncoveredUsd }) => uncoveredUsd !== null)
      ? 'The rest of a budget does not cover another call: requests that can cost more are refused until it resets or is raised.'
      : '80 % or more of a budget is spent.';
  }
  const state = isExceeded ? 'exceeded' : 'spent';
  return `A budget is ${state}: requests that cost something are refused until it resets or is raised.`;
}
