import { Card, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { groupSeries, type UsageGrouping } from '../../activity/activity-queries';
import { UseByDay, UseByGroup } from '../../activity/use-by-group';
import { Section, TextLink } from '../../kit/page';
import { QueryStates } from '../../kit/states';
import type { Scope } from '../../kit/url-state';
import classes from './overview.module.css';
import { topQuery } from './overview-queries';

const MOST = 5;
const HEIGHT = 460;
const TITLES: Readonly<Record<UsageGrouping, string>> = {
  model: 'Top models',
  key: 'Top keys',
  user: 'Top users',
  project: 'Top projects',
};

interface TopUsageProps {
  scope: Scope;
  /** To who spent most. */
  link: ReactNode;
}

/** The cost by day with the models that cost most, and beside it who caused it, in the last 30 days. */
export function TopUsage({ scope, link }: TopUsageProps) {
  const by = scope === 'all' ? 'user' : scope === 'projects' ? 'project' : 'key';
  const search = { range: '30d', scope };
  const models = useQuery(topQuery(scope, 'model'));
  const spenders = useQuery(topQuery(scope, by));
  const toModels = (
    <TextLink to="/usage" search={{ ...search, by: 'model' }} size="sm">
      Cost by model, last 30 days
    </TextLink>
  );
  return (
    <div className={classes.top}>
      <Section title={TITLES.model} aside={toModels}>
        <QueryStates query={models} skeleton={<Skeleton h={HEIGHT} radius="lg" />}>
          {(report) => <UseByDay report={report} grouping="model" search={search} most={MOST} />}
        </QueryStates>
      </Section>
      <Section title={TITLES[by]} aside={link}>
        <QueryStates query={spenders} skeleton={<Skeleton h={HEIGHT} radius="lg" />}>
          {(report) => (
            <Card padding="md">
              <UseByGroup
                report={report}
                grouping={by}
                series={groupSeries(report, ({ costUsd }) => costUsd)}
                search={search}
                most={2 * MOST}
              />
            </Card>
          )}
        </QueryStates>
      </Section>
    </div>
  );
}
