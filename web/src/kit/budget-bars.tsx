import { Stack } from '@mantine/core';
import type { Budget, Rate } from '../api/limits';
import { budgetText } from './budget-text';
import { LevelBar, ShareBar, WARN } from './level-bar';
import { LIMIT_LABELS } from './limits';
import { rateText, usedShare } from './rate-bars';
import { RelativeTime } from './relative-time';

const NAMES = { day: 'Today', month: 'This month', total: 'In total' };

/** Empty while the spending is being summed up. */
export function spentShare({ amountUsd, spentUsd, calculating }: Budget): number {
  if (calculating) return 0;
  return amountUsd === 0 ? 1 : spentUsd / amountUsd;
}

export function isNearlySpent(budget: Budget): boolean {
  return spentShare(budget) >= WARN;
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

/** The fullest budget, as a thin line for narrow places; the tooltip shows all. */
export function NearestLine({ budgets, rates }: { budgets: readonly Budget[]; rates: readonly Rate[] }) {
  const lines = [
    ...budgets.map((one) => ({ share: spentShare(one), name: 'Budget', verb: 'spent' })),
    ...rates.map((one) => ({ share: usedShare(one), name: LIMIT_LABELS[one.name], verb: 'used' })),
  ];
  const [nearest] = lines.sort((a, b) => b.share - a.share);
  if (!nearest) return null;
  const texts = [
    ...budgets.map((one) => `${NAMES[one.period]}: ${budgetText(one)}`),
    ...rates.map((one) => `${LIMIT_LABELS[one.name]}: ${rateText(one)}`),
  ];
  return <ShareBar {...nearest} size={4} title={texts.join('\n')} />;
}

function BudgetBar({ budget }: { budget: Budget }) {
  const { period, resetsAt } = budget;
  return (
    <LevelBar title={NAMES[period]} text={budgetText(budget)} share={spentShare(budget)} name="Budget" verb="spent">
      {resetsAt && (
        <>
          Resets <RelativeTime value={resetsAt} />
        </>
      )}
    </LevelBar>
  );
}
