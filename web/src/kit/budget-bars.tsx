import { Group, Progress, type ProgressProps, Stack, Text } from '@mantine/core';
import type { Budget } from '../api/limits';
import { formatPercent, formatUsd } from './numbers';
import { RelativeTime } from './relative-time';

const NAMES = { day: 'Today', month: 'This month', total: 'In total' };

/** From this share on a budget is something to look at. */
const WARN = 0.8;

export function spentShare({ amountUsd, spentUsd }: Budget): number {
  return amountUsd === 0 ? 1 : spentUsd / amountUsd;
}

export function isNearlySpent(budget: Budget): boolean {
  return spentShare(budget) >= WARN;
}

/** How much of each budget is spent and left, and when it begins anew. */
export function BudgetBars({ budgets }: { budgets: readonly Budget[] }) {
  return (
    <Stack gap="md">
      {budgets.map((budget) => (
        <BudgetBar key={budget.period} budget={budget} />
      ))}
    </Stack>
  );
}

/** Of several the one that is nearest to its end, as a thin line where there is little room. */
export function BudgetLine({ budgets }: { budgets: readonly Budget[] }) {
  const [budget] = [...budgets].sort((a, b) => spentShare(b) - spentShare(a));
  if (!budget) return null;
  return (
    <Bar budget={budget} size={4} title={budgets.map((one) => `${NAMES[one.period]}: ${leftOf(one)}`).join('\n')} />
  );
}

function BudgetBar({ budget }: { budget: Budget }) {
  const { period, resetsAt } = budget;
  return (
    <div>
      <Group justify="space-between" gap="xs" mb={4}>
        <Text size="sm" fw={500}>
          {NAMES[period]}
        </Text>
        <Text size="sm">{leftOf(budget)}</Text>
      </Group>
      <Bar budget={budget} />
      {resetsAt && (
        <Text size="xs" c="dimmed" mt={4}>
          Begins anew <RelativeTime value={resetsAt} />
        </Text>
      )}
    </div>
  );
}

function Bar({ budget, ...rest }: { budget: Budget } & Omit<ProgressProps, 'value'>) {
  const share = spentShare(budget);
  return (
    <Progress
      value={Math.min(100, share * 100)}
      color={share >= 1 ? 'red' : isNearlySpent(budget) ? 'yellow' : undefined}
      aria-label={`Budget: ${formatPercent(share)} spent`}
      {...rest}
    />
  );
}

function leftOf({ amountUsd, spentUsd }: Budget): string {
  return `${formatUsd(spentUsd)} of ${formatUsd(amountUsd)} · ${formatUsd(Math.max(0, amountUsd - spentUsd))} left`;
}
