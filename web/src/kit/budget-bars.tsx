import { Stack } from '@mantine/core';
import type { Budget } from '../api/limits';
import { budgetText, uncoveredText } from './budget-text';
import { LevelBar, WARN } from './level-bar';
import { BUDGET_LABELS } from './limits';
import { RelativeTime } from './relative-time';

export const PERIOD_NAMES = { day: 'Today', month: 'This month', total: 'In total' } as const;

/** Empty while the spending is being summed up. */
export function spentShare({ amountUsd, spentUsd, calculating }: Budget): number {
  if (calculating) return 0;
  return amountUsd === 0 ? 1 : spentUsd / amountUsd;
}

/** At least the share from which on it needs attention, or calls are refused already. */
export function isNearlySpent(budget: Budget): boolean {
  return spentShare(budget) >= WARN || budget.uncoveredUsd !== null;
}

/** How much of each budget is spent and left, and when it resets. */
export function BudgetBars({ budgets }: { budgets: readonly Budget[] }) {
  return (
    <Stack gap="md">
      {budgets.map((budget) => (
        <BudgetBar key={budget.period} budget={budget} />
      ))}
    </Stack>
  );
}

function BudgetBar({ budget }: { budget: Budget }) {
  const { period, resetsAt } = budget;
  const uncovered = uncoveredText(budget);
  return (
    <LevelBar
      title={PERIOD_NAMES[period]}
      text={budgetText(budget)}
      share={spentShare(budget)}
      name={BUDGET_LABELS[period]}
      verb="spent"
      isFull={uncovered !== null}
    >
      {uncovered !== null && (
        <>
          {uncovered}
          <br />
        </>
      )}
      {resetsAt && (
        <>
          Resets <RelativeTime value={resetsAt} />
        </>
      )}
    </LevelBar>
  );
}
