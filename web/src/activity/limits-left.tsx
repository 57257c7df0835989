import { Stack, Text } from '@mantine/core';
import type { Budget, Rate } from '../api/limits';
import { BudgetBars } from '../kit/budget-bars';
import { RateBars } from '../kit/rate-bars';

interface LimitsLeftProps {
  budgets: readonly Budget[];
  rates: readonly Rate[];
  /** Shown if there are neither. */
  none: string;
}

/** How much of each limit is used, and what is left of it. */
export function LimitsLeft({ budgets, rates, none }: LimitsLeftProps) {
  if (budgets.length + rates.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {none}
      </Text>
    );
  }
  return (
    <Stack gap="md">
      {budgets.length > 0 && <BudgetBars budgets={budgets} />}
      {rates.length > 0 && <RateBars rates={rates} />}
    </Stack>
  );
}
