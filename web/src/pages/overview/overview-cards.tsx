import Sparkles from 'icon:sparkles';
import TriangleAlert from 'icon:triangle-alert';
import { Alert, Badge, Card, Group, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { type Budget, type BudgetNotice, noticesQuery, ownLimitsQuery } from '../../api/lists';
import { budgetsQuery, isUsedUp, PERIOD_LABELS, STATE_NAMES, shareOf, stateOf } from '../../kit/budget-words';
import { Money, Quantity, RelativeTime } from '../../kit/figures';
import { Kpi } from '../../kit/kpi';
import { BudgetBars, isNearlySpent, LevelBar, RateBars, spentShare } from '../../kit/limit-bars';
import { limitTexts } from '../../kit/limits';
import { RefusedNote, UnpricedNote } from '../../kit/notes';
import {
  changeOf,
  errorRateOf,
  formatCompact,
  formatNumber,
  formatPercent,
  formatUsd,
  formatUsdTogether,
  plural,
} from '../../kit/numbers';
import { Grid, TextLink } from '../../kit/page';
import { formatDate } from '../../kit/times';
import type { Scope } from '../../kit/url-state';
import type { Overview, OverviewSpan } from './overview-queries';

/** The person's limits and spending; nothing if there are no limits. */
export function BudgetsCard() {
  const { data } = useQuery(ownLimitsQuery);
  const { data: notices = { items: [] } } = useQuery(noticesQuery);
  if (!data) return null;
  const { budgets, values } = data;
  const rates = limitTexts({ ...values, budgetDayUsd: null, budgetMonthUsd: null, budgetTotalUsd: null });
  if (budgets.length === 0 && rates.length === 0) return null;
  const near = budgets.filter(isNearlySpent);
  const isNoticed = notices.items.some(isOwn);
  return (
    <Card>
      <Stack gap="md">
        <Title order={2} size="h2">
          Your limits
        </Title>
        {near.length > 0 && !isNoticed && (
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

const BUDGETS_SHOWN = 5;

/** The fullest budgets of the person's projects; nothing if they have none. */
export function ProjectBudgetsCard() {
  const { data } = useQuery(budgetsQuery('projects'));
  if (!data || data.items.length === 0) return null;
  return (
    <Card>
      <Stack gap="md">
        <Group justify="space-between">
          <Title order={2} size="h2">
            Budgets of your projects
          </Title>
          <TextLink to="/budgets" search={{ scope: 'projects' }} size="sm">
            All budgets
          </TextLink>
        </Group>
        {data.items.slice(0, BUDGETS_SHOWN).map((budget) => (
          <LevelBar
            key={`${budget.scope} ${budget.id} ${budget.period}`}
            title={`${budget.name} · ${PERIOD_LABELS[budget.period].toLowerCase()}`}
            text={formatUsdTogether([budget.spentUsd, budget.amountUsd]).join(' of ')}
            share={shareOf(budget)}
            isFull={isUsedUp(stateOf(budget))}
            name={`Budget of ${budget.name}`}
            verb="spent"
          />
        ))}
      </Stack>
    </Card>
  );
}

const NOTICES_SHOWN = 4;

/**
 * Budgets that are spent or nearly so: the person's own, and those of the projects that the person manages. Nothing if
 * there are none.
 */
export function BudgetNotices() {
  const { data: { items: notices } = { items: [] } } = useQuery(noticesQuery);
  if (notices.length === 0) return null;
  const isRefusing = notices.some((one) => isUsedUp(stateOf(one)));
  const rest = notices.length - NOTICES_SHOWN;
  return (
    <Alert icon={<TriangleAlert size={17} aria-hidden="true" />} color={isRefusing ? 'red' : 'yellow'} role="status">
      <Stack gap={4}>
        <Text fw={600} inherit>
          {isRefusing ? 'A budget is used up' : 'A budget is nearly spent'}
        </Text>
        {notices.slice(0, NOTICES_SHOWN).map((notice) => (
          <NoticeLine key={`${notice.scope} ${notice.id} ${notice.period}`} notice={notice} />
        ))}
        {rest > 0 && <span>and {plural(rest, 'other budget')}</span>}
        <span>
          {isRefusing && 'Requests that cost something are refused until the budget resets or is raised. '}
          <TextLink to="/budgets" search={{ scope: scopeOf(notices) }} inherit underline="always">
            All budgets
          </TextLink>
        </span>
      </Stack>
    </Alert>
  );
}

/** "Project Search: $24.10 of $25.00 this month, 80 % or more; resets in 3 days" */
function NoticeLine({ notice }: { notice: BudgetNotice }) {
  const [spent, amount] = formatUsdTogether([notice.spentUsd, notice.amountUsd]);
  return (
    <span>
      <NoticeOwner notice={notice} />: {spent} of {amount} {PERIOD_LABELS[notice.period].toLowerCase()},{' '}
      {lowerFirst(STATE_NAMES[stateOf(notice)])}
      {notice.resetsAt && (
        <>
          ; resets <RelativeTime value={notice.resetsAt} />
        </>
      )}
    </span>
  );
}

function NoticeOwner({ notice: { scope, id, projectId, name } }: { notice: BudgetNotice }) {
  if (projectId !== null) {
    return (
      <>
        {scope === 'user' ? 'Service account' : 'Project'}{' '}
        <TextLink to="/projects/$id" params={{ id: projectId }} inherit underline="always">
          {name}
        </TextLink>
      </>
    );
  }
  if (scope !== 'key') return 'All your keys together';
  return (
    <>
      Key{' '}
      <TextLink to="/keys/$id" params={{ id }} inherit underline="always">
        {name}
      </TextLink>
    </>
  );
}

/** The person's own, for all keys together. */
function isOwn({ scope, projectId }: BudgetNotice): boolean {
  return projectId === null && scope !== 'key';
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

/** The narrowest choice of the page of budgets that has all of them. */
function scopeOf(notices: readonly BudgetNotice[]): Scope {
  return notices.every(({ projectId }) => projectId !== null) ? 'projects' : 'mine';
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

interface PlanCardProps {
  plan: Overview['plan'];
  adds: Overview['proAdds'];
  isAdmin: boolean;
}

/** The person's plan, and the models that the larger one adds. */
export function PlanCard({ plan, adds, isAdmin }: PlanCardProps) {
  return (
    <Card>
      <Group justify="space-between" align="flex-start" gap="lg">
        <Stack gap={4}>
          <Title order={2} size="h2">
            Your plan
          </Title>
          <Text size="sm" c="dimmed">
            {termOf(plan)}
          </Text>
        </Stack>
        <Badge size="lg" color={plan.since ? 'iris' : 'gray'}>
          {plan.name}
        </Badge>
      </Group>
      {adds.length > 0 ? (
        <Stack gap="xs" mt="md">
          <Group gap={6} wrap="nowrap">
            <Sparkles size={15} color="var(--console-accent)" aria-hidden />
            <Text size="sm" fw={500}>
              Pro would add {adds.length === 1 ? 'this model' : `these ${adds.length} models`}
            </Text>
          </Group>
          <Group gap={6}>
            {adds.map(({ id, displayName }) => (
              <Badge key={id} variant="default" title={id}>
                {displayName}
              </Badge>
            ))}
          </Group>
          <Text size="xs" c="dimmed">
            {isAdmin ? (
              <>
                As an administrator you can grant it under{' '}
                <TextLink to="/plans" inherit underline="always">
                  Plans
                </TextLink>
                .
              </>
            ) : (
              'An administrator of this gateway can grant it to you.'
            )}
          </Text>
        </Stack>
      ) : (
        <Text size="sm" mt="md">
          You can use every model that this gateway serves.{' '}
          <TextLink to="/models" inherit underline="always">
            See the models
          </TextLink>
        </Text>
      )}
    </Card>
  );
}

function termOf({ since, until }: Overview['plan']): string {
  if (!since) return 'The default plan for everyone.';
  const begin = `Since ${formatDate(new Date(since))}`;
  return until ? `${begin}, until ${formatDate(new Date(until))}.` : `${begin}, with no end date.`;
}

interface SpanCardsProps {
  title: string;
  span: OverviewSpan;
  /** Shown below each number. */
  today: OverviewSpan['totals'];
  comparedWith: string;
  /** The usage page's name of the same range. */
  range: string;
  scope: Scope;
}

/** The numbers of a month so far, with their trend, the comparison with the previous one, and today's part. */
export function SpanCards({ title, span, today, comparedWith, range, scope }: SpanCardsProps) {
  const heading = useId();
  const { totals, previous, points } = span;
  const rate = errorRateOf(totals);
  const against = (now: number | null, before: number | null) => {
    const delta = previous.requests === 0 ? null : changeOf(now, before);
    return delta === null ? {} : { delta, comparedWith };
  };
  const todaysRate = errorRateOf(today);
  return (
    <section aria-labelledby={heading}>
      <Group justify="space-between" mb="sm">
        <Title order={2} size="h2" id={heading}>
          {title}
        </Title>
        <TextLink to="/usage" search={{ range, scope }} size="sm" aria-label={`Details of ${title.toLowerCase()}`}>
          Details
        </TextLink>
      </Group>
      <Grid cols={{ base: 2, lg: 4 }} gap="sm">
        <Kpi
          label="Requests"
          value={<Quantity value={totals.requests} />}
          trend={points.map(({ requests }) => requests)}
          note={`${formatNumber(today.requests)} today`}
          {...against(totals.requests, previous.requests)}
        />
        <Kpi
          label="Tokens"
          value={<Quantity value={totals.tokens} />}
          trend={points.map(({ tokens }) => tokens)}
          note={`${formatCompact(today.tokens)} today`}
          {...against(totals.tokens, previous.tokens)}
        />
        <Kpi
          label="Cost"
          value={<Money usd={totals.costUsd} />}
          trend={points.map(({ costUsd }) => costUsd)}
          note={`${formatUsd(today.costUsd)} today`}
          {...against(totals.costUsd, previous.costUsd)}
        />
        <Kpi
          label="Error rate"
          value={rate === null ? '–' : formatPercent(rate)}
          more="bad"
          trend={points.map((point) => errorRateOf(point) ?? 0)}
          note={todaysRate !== null && `${formatPercent(todaysRate)} today`}
          {...against(rate, errorRateOf(previous))}
        />
      </Grid>
      <RefusedNote refused={totals.refused} search={{ range, scope }} />
      <UnpricedNote calls={span.unpricedCalls} />
    </section>
  );
}
