import { queryOptions, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { api, unwrap } from '../../api/client';
import type { components } from '../../api/schema';
import { toTimePoints } from '../../charts/axis';
import { looksOf, MAX_SERIES, REST_LOOK, type Series } from '../../charts/series';
import { TimeChart } from '../../charts/time-chart';
import { formatOnAxis, formatUsd, formatUsdTogether } from '../../kit/numbers';
import { zoneName } from '../../kit/range';
import classes from './projects.module.css';
import '../../charts/series.css';
import { Card, Group, Skeleton, Stack, Text, Title, VisuallyHidden } from '@mantine/core';
import type { ProjectBudget, ProjectDetail } from '../../api/projects';
import { mayAll, useSession } from '../../api/session';
import { Money, RelativeTime } from '../../kit/figures';
import { LevelBar, PERIOD_NAMES, RateBars } from '../../kit/limit-bars';
import { BUDGET_LABELS, LIMIT_LABELS, LIMIT_NAMES, limitText, uncoveredText } from '../../kit/limits';
import { Grid, TextLink } from '../../kit/page';
import { QueryStates } from '../../kit/states';

const DAYS = 30;
const DAY_MS = 86_400_000;
const REFRESH_MS = 60_000;

/** The usage of a project in the last 30 days, by day and key. */
function projectUsageQuery(id: string, isAdmin: boolean) {
  return queryOptions({
    queryKey: ['projects', 'usage', id],
    queryFn: ({ signal }) => {
      const to = new Date();
      const from = new Date(to.getTime() - DAYS * DAY_MS);
      const query = {
        from: from.toISOString(),
        to: to.toISOString(),
        projects: [id],
        groupBy: 'key',
        rankBy: 'costNanodollars',
        granularity: 'day',
        zone: zoneName('local'),
        ...(isAdmin && { scope: 'all' as const }),
      } as const;
      return unwrap(api.GET('/api/usage', { params: { query: { ...query, projects: [id] } }, signal }));
    },
    refetchInterval: REFRESH_MS,
  });
}

type Report = components['schemas']['UsageReportView'];

/** Bars for each day, a color for each key, and the sums. */
function UsageByKey({ report, height }: { report: Report; height: number }) {
  const { points, series } = useMemo(
    () => ({
      points: toTimePoints(
        report.series.map(({ start }) => start),
        'day',
        zoneName('local'),
      ),
      series: toSeries(report),
    }),
    [report],
  );
  return (
    <>
      <div aria-hidden>
        <TimeChart
          kind="bars"
          points={points}
          series={series}
          unit="usd"
          format={formatUsd}
          formatTick={(value) => formatOnAxis(value, 'usd')}
          height={height}
        />
      </div>
      <ul className={classes.legend} aria-label="Cost of each key">
        {series.map(({ id, label, color, values }) => (
          <li key={id}>
            <span className={classes.swatch} style={{ background: color }} aria-hidden="true" />
            {label}: {formatUsd(values.reduce<number>((sum, value) => sum + (value ?? 0), 0))}
          </li>
        ))}
      </ul>
    </>
  );
}

/** The keys with the highest cost, and one series for all others. */
function toSeries({ groups, series }: Report): Series[] {
  const shown = groups.filter(({ hasSeries }) => hasSeries).slice(0, MAX_SERIES);
  const looks = looksOf(shown.map(({ id }) => id));
  const ofKeys = shown.map(({ id, label }) => ({
    id,
    label,
    ...(looks.get(id) ?? REST_LOOK),
    values: series.map((point) => point.groups[id]?.costUsd ?? 0),
  }));
  if (groups.length <= shown.length) return ofKeys;
  const ids = new Set(shown.map(({ id }) => id));
  const restOf = (point: Report['series'][number]) =>
    Object.entries(point.groups).reduce((sum, [id, { costUsd }]) => (ids.has(id) ? sum : sum + costUsd), 0);
  return [...ofKeys, { id: '~other', label: 'Other keys', ...REST_LOOK, values: series.map(restOf) }];
}

const HEIGHT = 220;

/** The cost of the last 30 days, by key. */
function ProjectUsage({ project: { id } }: { project: ProjectDetail }) {
  const isAdmin = mayAll(useSession(), 'usage.read');
  const query = useQuery(projectUsageQuery(id, isAdmin));
  return (
    <Card>
      <Group justify="space-between" mb="md">
        <Title order={2} size="h2">
          Cost by key, last 30 days
        </Title>
        <Group gap="md">
          <TextLink to="/requests" size="sm" search={{ projects: id, range: '30d', ...(isAdmin && { scope: 'all' }) }}>
            View requests
          </TextLink>
          <TextLink
            to="/usage"
            size="sm"
            search={{ projects: id, by: 'key', range: '30d', ...(isAdmin && { scope: 'all' }) }}
          >
            View usage
          </TextLink>
        </Group>
      </Group>
      <QueryStates query={query} skeleton={<Skeleton h={HEIGHT} />}>
        {(report) =>
          report.totals.requests + report.totals.refused === 0 ? (
            <Text size="sm" c="dimmed">
              No requests in the last 30 days. Create a key and send one.
            </Text>
          ) : (
            <figure style={{ margin: 0 }}>
              <VisuallyHidden component="figcaption">Daily cost by key. The list below has the totals.</VisuallyHidden>
              <UsageByKey report={report} height={HEIGHT} />
            </figure>
          )
        }
      </QueryStates>
    </Card>
  );
}

/** How much of each budget is spent, held for running requests, and left. */
function ProjectBudgets({ budgets }: { budgets: readonly ProjectBudget[] }) {
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
  const [spent, amount, left, reserved] = formatUsdTogether([spentUsd, amountUsd, leftUsd, reservedUsd]);
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
      {reservedUsd > 0 && `${reserved} held for running requests. `}
      {resetsAt && (
        <>
          Resets <RelativeTime value={resetsAt} />
        </>
      )}
    </LevelBar>
  );
}

/** What a project has spent, what is left of its limits, and its usage. */
export function ProjectOverview({ project }: { project: ProjectDetail }) {
  return (
    <Stack gap="lg">
      <Grid cols={{ base: 1, md: 2 }} gap="lg">
        <Card>
          <Title order={2} size="h2" mb="md">
            Spending
          </Title>
          <Text size="sm" mb="md">
            Spent this month:{' '}
            <b>
              <Money usd={project.spentThisMonth.costUsd} />
            </b>
          </Text>
          <ProjectBudgets budgets={project.limits.budgets} />
        </Card>
        <Card>
          <Title order={2} size="h2" mb="md">
            Limits
          </Title>
          <LimitFacts limits={project.limits} />
        </Card>
      </Grid>
      <ProjectUsage project={project} />
    </Stack>
  );
}

/** The limits, each with the most that managers can set, and the current use of the rates. */
function LimitFacts({ limits: { values, bounds, rates } }: Pick<ProjectDetail, 'limits'>) {
  const names = LIMIT_NAMES.filter((name) => values[name] !== null || bounds[name] !== null);
  if (names.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        The project has no limits of its own. Those of its plan and its keys apply.
      </Text>
    );
  }
  return (
    <Stack gap="md">
      <dl className={classes.facts}>
        {names.map((name) => {
          const [value, bound] = [values[name], bounds[name]];
          return (
            <div key={name} style={{ display: 'contents' }}>
              <dt>{LIMIT_LABELS[name]}</dt>
              <dd>
                {value === null ? 'No limit' : limitText(name, value)}
                {bound !== null && (
                  <Text size="xs" c="dimmed">
                    Managers can set at most {limitText(name, bound)}.
                  </Text>
                )}
              </dd>
            </div>
          );
        })}
      </dl>
      {rates.length > 0 && <RateBars rates={rates} />}
    </Stack>
  );
}
