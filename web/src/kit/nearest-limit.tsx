import { Text } from '@mantine/core';
import type { Budget, Rate } from '../api/limits';
import { PERIOD_NAMES, spentShare } from './budget-bars';
import { budgetText, uncoveredText } from './budget-text';
import { ShareBar } from './level-bar';
import { BUDGET_LABELS, LIMIT_LABELS } from './limits';
import { formatCompact, formatPercent, formatUsdColumn } from './numbers';
import { rateText, usedShare } from './rate-bars';

interface Line {
  share: number;
  isFull: boolean;
  name: string;
  verb: string;
  /** "94% of $0.0500 today" */
  short: string;
  /** "Today: $0.0471 of $0.0500 · $0.0029 left" */
  full: string;
}

interface NearestLimitProps {
  budgets: readonly Budget[];
  rates: readonly Rate[];
  /** Of the amounts around it. */
  decimals: number;
}

/** For narrow places: the limit that is nearest to being reached, as a text, a thin bar and a tooltip of that limit. */
export function NearestLimit({ budgets, rates, decimals }: NearestLimitProps) {
  const lines = [...budgets.map((one) => budgetLine(one, decimals)), ...rates.map(rateLine)];
  const [nearest, ...others] = lines.toSorted((a, b) => Number(b.isFull) - Number(a.isFull) || b.share - a.share);
  if (!nearest) return null;
  const { share, isFull, name, verb, short, full } = nearest;
  return (
    <>
      <Text size="xs" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
        <span title={full}>{short}</span>
        {others.length > 0 && <span title={others.map((one) => one.full).join('\n')}> +{others.length}</span>}
      </Text>
      <ShareBar share={share} name={name} verb={verb} isFull={isFull} size={4} title={full} />
    </>
  );
}

function budgetLine(budget: Budget, decimals: number): Line {
  const { period, amountUsd, calculating } = budget;
  const share = spentShare(budget);
  const uncovered = uncoveredText(budget);
  const limit = `${formatUsdColumn(amountUsd, decimals)} ${PERIOD_NAMES[period].toLowerCase()}`;
  return {
    share,
    isFull: share >= 1 || uncovered !== null,
    name: BUDGET_LABELS[period],
    verb: 'spent',
    short: calculating ? `of ${limit}` : `${formatPercent(share)} of ${limit}`,
    full: [`${PERIOD_NAMES[period]}: ${budgetText(budget)}`, uncovered].filter(Boolean).join('. '),
  };
}

const UNITS = { requestsPerMinute: 'requests/min', tokensPerMinute: 'tokens/min', concurrentCalls: 'concurrent' };

function rateLine(rate: Rate): Line {
  const { name, limit } = rate;
  const share = usedShare(rate);
  return {
    share,
    isFull: share >= 1,
    name: LIMIT_LABELS[name],
    verb: 'used',
    short: `${formatPercent(share)} of ${formatCompact(limit)} ${UNITS[name]}`,
    full: `${LIMIT_LABELS[name]}: ${rateText(rate)}`,
  };
}
