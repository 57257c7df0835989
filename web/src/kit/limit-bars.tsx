import { Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Budget, Rate } from '../api/lists';
import { RelativeTime } from './figures';
import classes from './kit.module.css';
import { BUDGET_LABELS, budgetText, LIMIT_LABELS, uncoveredText } from './limits';
import { formatCompact, formatNumber, formatPercent, formatUsdColumn } from './numbers';

/** From this share on, a level needs attention. */
const WARN = 0.8;

interface ShareBarProps {
  share: number;
  name: string;
  verb: string;
  /** Nothing more is possible, although something is left. */
  isFull?: boolean;
  /** In pixels. */
  height?: number;
  title?: string;
}

export function ShareBar({ share, name, verb, isFull = false, height, title }: ShareBarProps) {
  const percent = Math.min(100, share * 100);
  return (
    <div
      className={classes.progress}
      style={{ height }}
      title={title}
      data-tone={isFull || share >= 1 ? 'bad' : share >= WARN ? 'warn' : undefined}
    >
      <div
        role="progressbar"
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
        aria-valuetext={`${percent}%`}
        aria-label={`${name}: ${formatPercent(share)} ${verb}`}
        style={{ width: `${percent}%` }}
      />
    </div>
  );
}

interface LevelBarProps {
  title: string;
  /** What is used and what is left, in words. */
  text: string;
  share: number;
  name: string;
  verb: string;
  isFull?: boolean;
  /** When more is available. */
  children?: ReactNode;
}

/** A bar with its title and its numbers above it. */
export function LevelBar({ title, text, share, name, verb, isFull, children }: LevelBarProps) {
  return (
    <div>
      <Group justify="space-between" gap="xs" mb={4}>
        <Text size="sm" fw={500}>
          {title}
        </Text>
        <Text size="sm">{text}</Text>
      </Group>
      <ShareBar share={share} name={name} verb={verb} isFull={isFull} />
      {children && (
        <Text size="xs" c="dimmed" mt={4}>
          {children}
        </Text>
      )}
    </div>
  );
}

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

function usedShare({ limit, used }: Rate): number {
  return used / limit;
}

/** How much of each rate and of the concurrent requests is used and left, and when a rate is fully available. */
export function RateBars({ rates }: { rates: readonly Rate[] }) {
  return (
    <Stack gap="md">
      {rates.map((rate) => (
        <RateBar key={rate.name} rate={rate} />
      ))}
    </Stack>
  );
}

/** "12 of 60 used · 48 left", "2 of 3 running · 1 free" */
function rateText({ name, limit, used }: Rate): string {
  const left = formatNumber(Math.max(0, limit - used));
  const share = `${formatNumber(used)} of ${formatNumber(limit)}`;
  return name === 'concurrentCalls' ? `${share} running · ${left} free` : `${share} used · ${left} left`;
}

function RateBar({ rate }: { rate: Rate }) {
  const { name, used, fullAt } = rate;
  const title = LIMIT_LABELS[name];
  return (
    <LevelBar title={title} text={rateText(rate)} share={usedShare(rate)} name={title} verb="used">
      {fullAt && used > 0 && (
        <>
          Fully available <RelativeTime value={fullAt} />
        </>
      )}
    </LevelBar>
  );
}

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
      <ShareBar share={share} name={name} verb={verb} isFull={isFull} height={4} title={full} />
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
