import FlaskConical from 'icon:flask-conical';
import TriangleAlert from 'icon:triangle-alert';
import { Alert, Skeleton, Stack } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useState } from 'react';
import { mayAll, useSession } from '../../api/session';
import { formatNumber } from '../../kit/numbers';
import { Grid, Page, TextLink } from '../../kit/page';
import { ScopeSwitch } from '../../kit/select';
import { Loading, QueryStates } from '../../kit/states';
import { type Scope, useUsageScope } from '../../kit/url-state';
import { BudgetNotices, BudgetsCard, PlanCard, ProjectBudgetsCard, SpanCards } from './overview-cards';
import { firstCallQuery, type Overview, overviewQuery } from './overview-queries';
import { RecentErrors } from './recent-errors';

const TopUsage = lazy(() => import('./top-usage').then((module) => ({ default: module.TopUsage })));
const StartCard = lazy(() => import('./start-card').then((module) => ({ default: module.StartCard })));

/** Upstreams that are failing, each with a link to inspect and test it. */
function FailingNote({ upstreams }: { upstreams: Overview['failing'] }) {
  const title = upstreams.length === 1 ? 'An upstream is failing' : `${upstreams.length} upstreams are failing`;
  return (
    <Alert icon={<TriangleAlert size={17} aria-hidden="true" />} color="red" title={title}>
      <Stack gap={2}>
        {upstreams.map(({ name, attempts, failures, code, faults }) => (
          <span key={name}>
            <TextLink to="/upstreams" search={{ upstream: name }} inherit underline="always">
              {name}
            </TextLink>
            : {formatNumber(failures)} of {formatNumber(attempts)} calls failed in the last 24 hours
            {code && `, the last with ${code}`}.
            {faults.map(({ key, status, message }) => (
              <div key={key}>
                {[key && `Key ${key}`, status].filter(Boolean).join(' ')} {message}
              </div>
            ))}
          </span>
        ))}
      </Stack>
    </Alert>
  );
}

/** No provider is connected: answers are simulated and cost nothing. */
function SimulationNote({ isAdmin }: { isAdmin: boolean }) {
  return (
    <Alert icon={<FlaskConical size={17} aria-hidden="true" />} color="gray" title="Answers are simulated">
      No provider is connected, so the gateway simulates every answer, at no cost.{' '}
      {isAdmin ? (
        <>
          For real answers, set the credential of an{' '}
          <TextLink to="/upstreams" inherit underline="always">
            upstream
          </TextLink>
          .
        </>
      ) : (
        'For real answers, ask an administrator to connect a provider.'
      )}
    </Alert>
  );
}

const CARDS = ['requests', 'tokens', 'cost', 'errors'];

/** The page's layout while its numbers load. */
function OverviewSkeleton() {
  return (
    <Stack gap="xl">
      <div>
        <Skeleton h={20} w={90} mb="sm" />
        <Grid cols={{ base: 2, lg: 4 }} gap="md">
          {CARDS.map((card) => (
            <Skeleton key={card} h={112} radius="lg" />
          ))}
        </Grid>
      </div>
      <Skeleton h={420} radius="lg" />
    </Stack>
  );
}

/** The start page: the steps to the first request, then usage and cost of this month, and what causes it. */
export function OverviewPage() {
  const session = useSession();
  const isAdmin = mayAll(session, 'usage.read');
  const { scope } = useUsageScope();
  const query = useQuery(overviewQuery(scope));
  return (
    <Page
      title="Overview"
      description={session.user.name ? `Welcome, ${session.user.name}.` : undefined}
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
  const isOwn = scope === 'mine';
  const { starts, close } = useFirstSteps(overview.hasCalled);
  useNumbersAfterFirstCall(isOwn && starts && !overview.hasCalledSuccessfully);
  const isOfProjects = scope === 'projects';
  const hasNumbers = !isOwn || overview.hasCalled || overview.month.totals.requests > 0;
  return (
    <Stack gap="xl">
      {overview.failing.length > 0 && <FailingNote upstreams={overview.failing} />}
      <BudgetNotices />
      {overview.simulated && <SimulationNote isAdmin={isAdmin} />}
      {starts && isOwn && (
        <Suspense fallback={<Loading skeleton={<Skeleton h={420} radius="lg" />} />}>
          <StartCard hasKey={overview.hasKey} exampleModel={overview.exampleModel ?? 'MODEL'} onClose={close} />
        </Suspense>
      )}
      {hasNumbers && (
        <>
          <SpanCards
            title="This month"
            span={overview.month}
            today={overview.today.totals}
            comparedWith="vs. same time last month"
            range="month"
            scope={scope}
          />
          <Suspense fallback={<Loading skeleton={<Skeleton h={420} radius="lg" />} />}>
            <TopUsage scope={scope} link={<SpendersLink isAdmin={isAdmin} scope={scope} />} />
          </Suspense>
        </>
      )}
      {isOfProjects ? (
        <ProjectBudgetsCard />
      ) : (
        <>
          <BudgetsCard />
          <PlanCard plan={overview.plan} adds={overview.proAdds} isAdmin={isAdmin} />
        </>
      )}
      {(hasNumbers || overview.recentErrors.length > 0) && <RecentErrors errors={overview.recentErrors} />}
    </Stack>
  );
}

/** Until a request has arrived, or the person has closed them; within a visit they stay to show how it went. */
function useFirstSteps(hasCalled: boolean): { starts: boolean; close: () => void } {
  const { user } = useSession();
  const [isClosed, setClosed] = useLocalStorage({
    key: `first-steps-closed-${user.id}`,
    defaultValue: false,
    getInitialValueInEffect: false,
  });
  const [wasNew] = useState(!hasCalled);
  return { starts: wasNew && !isClosed, close: () => setClosed(true) };
}

/** What costs the most: the person's projects, for administrators everyone's users, for others their own keys. */
function SpendersLink({ isAdmin, scope }: { isAdmin: boolean; scope: Scope }) {
  const by = scope === 'projects' ? 'project' : isAdmin ? 'user' : 'key';
  const of = isAdmin && scope !== 'projects' ? 'all' : scope;
  return (
    <TextLink to="/usage" size="sm" search={{ range: '7d', by, scope: of }}>
      Cost by {by}, last 7 days
    </TextLink>
  );
}

/** Loads the page's numbers as soon as a request has arrived. */
function useNumbersAfterFirstCall(isWaiting: boolean): void {
  const client = useQueryClient();
  const { data: first } = useQuery({ ...firstCallQuery, enabled: isWaiting });
  const arrived = first?.done ? 'success' : first?.failure?.requestId;
  useEffect(() => {
    if (isWaiting && arrived) void client.invalidateQueries({ queryKey: ['overview', 'numbers'] });
  }, [client, isWaiting, arrived]);
}
