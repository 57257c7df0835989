import Sparkles from 'icon:sparkles';
import { Badge, Card, Group, Stack, Text, Title } from '@mantine/core';
import { TextLink } from '../../kit/links';
import { formatDate } from '../../kit/times';
import type { Overview } from './overview-queries';

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
