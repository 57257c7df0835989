import { Stack, Text } from '@mantine/core';
import type { ProjectBudget } from '../../api/projects';
import { PERIOD_NAMES } from '../../kit/budget-bars';
import { uncoveredText } from '../../kit/budget-text';
import { LevelBar } from '../../kit/level-bar';
import { BUDGET_LABELS } from '../../kit/limits';
import { RelativeTime } from '../../kit/relative-time';
import { formatUsdTogether } from '../../kit/shared-decimals';

/** How much of each budget is spent, held for running requests, and left. */
export function ProjectBudgets({ budgets }: { budgets: readonly ProjectBudget[] }) {
  if (budgets.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        The project has no budget.
      </Text>
    );
  }
  return (
    <Stack gap="md">
      {budgets.map((budget) => (
        <BudgetBar key={budget.period} budget={budget} />
      ))}
    </Stack>
  );
}

function BudgetBar({ budget }: { budget: ProjectBudget }) {
  const { period, amountUsd, spentUsd, reservedUsd, leftUsd, resetsAt } = budget;
  const uncovered = uncoveredText(budget);
  const [spent, amount, left, held] = formatUsdTogether([spentUsd, amountUsd, leftUsd, reservedUsd]);
  return (
    <LevelBar
      title={PERIOD_NAMES[period]}
      text={`${spent} of ${amount} · ${left} left`}
      share={amountUsd === 0 ? 1 : spentUsd / amountUsd}
      name={BUDGET_LABELS[period]}
      verb="spent"
      isFull={uncovered !== null}
    >
      {uncovered !== null && `${uncovered} `}
      {reservedUsd > 0 && `${held} held for running requests. `}
      {resetsAt && (
        <>
          Resets <RelativeTime value={resetsAt} />
        </>
      )}
    </LevelBar>
  );
}
