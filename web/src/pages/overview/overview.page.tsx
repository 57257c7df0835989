import { Stack } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useSession } from '../../api/session';
import { TextLink } from '../../kit/links';
import { Page } from '../../kit/page';
import { QueryStates } from '../../kit/query-states';
import { ScopeSwitch } from '../../kit/scope-switch';
import { type Scope, useScope } from '../../kit/use-scope';
import { BudgetsCard } from './budgets-card';
import { FailingNote } from './failing-note';
import { firstCallQuery, type Overview, overviewQuery } from './overview-queries';
import { OverviewSkeleton } from './overview-skeleton';
import { PlanCard } from './plan-card';
import { RecentErrors } from './recent-errors';
import { SimulationNote } from './simulation-note';
import { SpanCards } from './span-cards';
import { StartCard } from './start-card';

/** The start page: the steps to the first request, then usage and cost of today and this month. */
export function OverviewPage() {
  const { user } = useSession();
  const isAdmin = user?.role === 'admin';
  const [scope] = useScope();
  const query = useQuery(overviewQuery(scope));
  return (
    <Page
      title="Overview"
      description={user?.name ? `Welcome, ${user.name}.` : undefined}
      actions={<ScopeSwitch what="requests" />}
    >
      <QueryStates query={query} skeleton={<OverviewSkeleton />}>
        {(overview) => <Loaded overview={overview} scope={scope} isAdmin={isAdmin} />}
      </QueryStates>
    </Page>
  );
}

interface LoadedProps {
  overview: Overview;
  scope: Scope;
  isAdmin: boolean;
}

function Loaded({ overview, scope, isAdmin }: LoadedProps) {
  // Stays for this visit, so that the person sees the success of the first request.
  const [starts] = useState(!overview.hasCalledSuccessfully);
  useNumbersAfterFirstCall(starts && !overview.hasCalledSuccessfully);
  const hasNumbers = overview.hasCalledSuccessfully || overview.month.totals.requests > 0;
  return (
    <Stack gap="xl">
      {overview.failing.length > 0 && <FailingNote upstreams={overview.failing} />}
      {overview.simulated && <SimulationNote isAdmin={isAdmin} />}
      {starts && <StartCard hasKey={overview.hasKey} exampleModel={overview.exampleModel ?? 'MODEL'} />}
      {hasNumbers && (
        <>
          <SpanCards
            title="Today"
            span={overview.today}
            comparedWith="vs. same time yesterday"
            range="today"
            scope={scope}
          />
          <SpanCards
            title="This month"
            span={overview.month}
            comparedWith="vs. same time last month"
            range="month"
            scope={scope}
            link={<SpendersLink isAdmin={isAdmin} />}
          />
        </>
      )}
      <BudgetsCard />
      <PlanCard plan={overview.plan} adds={overview.proAdds} isAdmin={isAdmin} />
      {(hasNumbers || overview.recentErrors.length > 0) && <RecentErrors errors={overview.recentErrors} />}
    </Stack>
  );
}

/** Whose cost is highest: for administrators among everyone's users, for others among their own keys. */
function SpendersLink({ isAdmin }: { isAdmin: boolean }) {
  const by = isAdmin ? 'user' : 'key';
  return (
    <TextLink to="/usage" size="sm" search={{ range: '7d', by, scope: isAdmin ? 'all' : 'mine' }}>
      Cost by {by}, last 7 days
    </TextLink>
  );
}

/** Loads the page's numbers as soon as there are any. */
function useNumbersAfterFirstCall(isWaiting: boolean): void {
  const client = useQueryClient();
  const { data: first } = useQuery({ ...firstCallQuery, enabled: isWaiting });
  const done = first?.done === true;
  useEffect(() => {
    if (isWaiting && done) void client.invalidateQueries({ queryKey: ['overview', 'numbers'] });
  }, [client, isWaiting, done]);
}
