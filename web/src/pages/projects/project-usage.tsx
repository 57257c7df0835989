import '../../charts/series.css';
import { Card, Group, Skeleton, Text, Title, VisuallyHidden } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ProjectDetail } from '../../api/projects';
import { useSession } from '../../api/session';
import { TextLink } from '../../kit/links';
import { QueryStates } from '../../kit/query-states';
import { projectUsageQuery } from './project-usage-query';
import { UsageByKey } from './usage-by-key';

const HEIGHT = 220;

/** The cost of the last 30 days, by key. */
export function ProjectUsage({ project: { id } }: { project: ProjectDetail }) {
  const isAdmin = useSession().user.role === 'admin';
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
