import CircleCheck from 'icon:circle-check';
import { Badge, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Budget, Rate } from '../api/lists';
import { mayAll, useSession } from '../api/session';
import { DataTable } from '../kit/data-table';
import type { Column } from '../kit/data-table-rows';
import { RelativeTime } from '../kit/figures';
import { Kpi } from '../kit/kpi';
import { BudgetBars, RateBars } from '../kit/limit-bars';
import { errorRateOf, formatCompact, formatNumber, formatPercent, formatUsd } from '../kit/numbers';
import { Grid, Section, TextLink } from '../kit/page';
import { EmptyState, QueryStates } from '../kit/states';
import { StatusBadge } from '../kit/status-badge';
import { outcomeText } from '../kit/words';
import {
  groupingOf,
  monthOfUseQuery,
  type RequestRow,
  recentFailuresQuery,
  type ShownCall,
  searchOf,
  TROUBLE_STATUSES,
  tokensOf,
  toRows,
  type UsageTotals,
  type Whose,
} from './activity-queries';
import { UseByDay } from './use-by-group';

/** The last 30 days of a key, user or model: the sums, a chart by day, and a table by model, key or user. */
function MonthOfUse({ whose }: { whose: Whose }) {
  const isAdmin = mayAll(useSession(), 'usage.read');
  const query = useQuery(monthOfUseQuery(whose, isAdmin));
  const grouping = groupingOf(whose, isAdmin);
  const search = searchOf(whose, isAdmin);
  return (
    <Section
      title="Usage, last 30 days"
      aside={
        <TextLink to="/usage" search={{ ...search, by: grouping }} size="sm">
          Open in Usage
        </TextLink>
      }
    >
      <QueryStates query={query}>
        {(report) => (
          <Stack gap="md">
            <Sums totals={report.totals} />
            {report.groups.length > 0 && <UseByDay report={report} grouping={grouping} search={search} />}
          </Stack>
        )}
      </QueryStates>
    </Section>
  );
}

function Sums({ totals }: { totals: UsageTotals }) {
  const { requests, refused, errors } = totals;
  const errorRate = errorRateOf(totals);
  return (
    <Grid cols={{ base: 2, md: 4 }} gap="sm">
      <Kpi label="Requests" value={formatNumber(requests)} note={refused > 0 && `${formatNumber(refused)} refused`} />
      <Kpi label="Cost" value={formatUsd(totals.costUsd)} />
      <Kpi label="Tokens" value={formatCompact(tokensOf(totals))} />
      <Kpi
        label="Success"
        value={errorRate === null ? '–' : formatPercent(1 - errorRate)}
        note={errors > 0 && `${formatNumber(errors)} failed`}
      />
    </Grid>
  );
}

const MAX_ROWS = 10;

const MODEL: Column<RequestRow> = { key: 'model', header: 'Model', cell: ({ call }) => call.model || '–' };

/** The newest failed and refused requests of a key, user or model, identical ones in a row; each opens in Requests. */
function RecentFailures({ whose }: { whose: Whose }) {
  const isAdmin = mayAll(useSession(), 'usage.read');
  const query = useQuery({ ...recentFailuresQuery(whose, isAdmin), select: toNewestRows });
  const search = searchOf(whose, isAdmin);
  return (
    <Section
      title="Recent errors"
      aside={
        <TextLink to="/requests" search={{ ...search, statuses: TROUBLE_STATUSES.join(',') }} size="sm">
          All failed and refused requests
        </TextLink>
      }
    >
      <DataTable
        label="recent errors"
        query={query}
        columns={columnsFor(search, whoOf(whose, isAdmin), isAdmin)}
        rowKey={({ call }) => call.id}
        rowLabel={({ call }) => call.requestId}
        empty={
          <EmptyState icon={CircleCheck} title="No errors">
            No request failed or was refused in the last 30 days.
          </EmptyState>
        }
      />
    </Section>
  );
}

function toNewestRows(calls: readonly ShownCall[]): RequestRow[] {
  return toRows(calls).slice(0, MAX_ROWS);
}

/** The column that distinguishes the requests, besides the model. */
function whoOf(whose: Whose, isAdmin: boolean): Column<RequestRow>[] {
  const key: Column<RequestRow> = { key: 'key', header: 'Key', cell: ({ call }) => call.keyName || '–' };
  if ('user' in whose) return [MODEL, key];
  if ('key' in whose) return [MODEL, { key: 'secret', header: 'Secret', cell: ({ call }) => call.keyDisplay ?? '–' }];
  return isAdmin ? [{ key: 'user', header: 'User', cell: ({ call }) => call.userName || '–' }, key] : [key];
}

function columnsFor(
  search: Record<string, string>,
  who: readonly Column<RequestRow>[],
  isAdmin: boolean,
): Column<RequestRow>[] {
  return [
    {
      key: 'error',
      header: 'Error',
      onCard: 'title',
      cell: ({ call, count }) => (
        <div>
          <Group gap="xs">
            <TextLink to="/requests" search={{ ...search, call: call.id }} title="Show the request">
              <StatusBadge tone={call.status === 'failed' ? 'bad' : 'warn'} wraps>
                {errorText(call, isAdmin)}
              </StatusBadge>
            </TextLink>
            {count > 1 && (
              <Badge
                size="sm"
                variant="light"
                color="gray"
                title={`${formatNumber(count)} identical errors; the newest`}
              >
                {formatNumber(count)} ×
              </Badge>
            )}
          </Group>
          {call.message && (
            <Text size="xs" c="dimmed" lineClamp={2} title={call.message}>
              {call.message}
            </Text>
          )}
        </div>
      ),
    },
    { key: 'at', header: 'When', cell: ({ call }) => <RelativeTime value={call.startedAt} /> },
    ...who,
  ];
}

/** "Refused: limit reached (429)", "Failed: error at the provider (openai 401)" */
function errorText({ status, httpStatus, upstream, upstreamStatus, errorCode: code }: ShownCall, isAdmin: boolean) {
  const cause = status === 'failed' ? { upstream, status: upstreamStatus, code } : { status: httpStatus, code };
  return outcomeText(status, cause, isAdmin);
}

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

/** The usage and errors of a key, a user or a model in the last 30 days. */
export function UsageAndErrors({ whose }: { whose: Whose }) {
  return (
    <Stack gap="xl">
      <MonthOfUse whose={whose} />
      <RecentFailures whose={whose} />
    </Stack>
  );
}
