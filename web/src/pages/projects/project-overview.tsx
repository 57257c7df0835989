import { Card, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import type { ProjectDetail } from '../../api/projects';
import { LIMIT_LABELS, LIMIT_NAMES, limitText } from '../../kit/limits';
import { Money } from '../../kit/money';
import { RateBars } from '../../kit/rate-bars';
import { ProjectBudgets } from './project-budgets';
import { ProjectUsage } from './project-usage';
import classes from './projects.module.css';

/** What a project has spent, what is left of its limits, and its usage. */
export function ProjectOverview({ project }: { project: ProjectDetail }) {
  return (
    <Stack gap="lg">
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
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
      </SimpleGrid>
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
