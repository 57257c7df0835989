import { Badge, Button, Card, Group, Stack, Text, Title } from '@mantine/core';
import { Pencil, UserPlus } from 'lucide-react';
import { formatNumber } from '../../kit/numbers';
import classes from './plans.module.css';
import type { PlanView } from './plans-api';

interface PlanCardProps {
  plan: PlanView;
  onEdit: () => void;
  onGrant: () => void;
}

/** What a plan opens, and for how many. */
export function PlanCard({ plan, onEdit, onGrant }: PlanCardProps) {
  const { id, name, tiers, isDefault, models, users } = plan;
  return (
    <Card component="section" aria-label={`Plan ${name}`}>
      <Group justify="space-between" align="flex-start" wrap="nowrap">
        <div>
          <Group gap="xs">
            <Title order={2} size="lg">
              {name}
            </Title>
            {isDefault && <Badge color="gray">Default</Badge>}
          </Group>
          <Text size="sm" c="dimmed" mt={2}>
            {isDefault ? 'Everybody who was given no other plan' : 'Given to users one by one, or by single sign-on'}
          </Text>
        </div>
        <Text size="xs" c="dimmed" ff="monospace">
          {id}
        </Text>
      </Group>
      <dl className={classes.figures}>
        <Figure label="Users" value={users ?? 0} />
        <Figure label="Models" value={models} />
        <div>
          <dt>Tiers</dt>
          <dd>
            <Group gap={6}>
              {tiers.map((tier) => (
                <Badge key={tier}>{tier}</Badge>
              ))}
            </Group>
          </dd>
        </div>
      </dl>
      <Stack mt="auto">
        <Group gap="xs">
          {!isDefault && (
            <Button size="xs" leftSection={<UserPlus size={14} aria-hidden="true" />} onClick={onGrant}>
              Give to a user
            </Button>
          )}
          <Button
            size="xs"
            variant="default"
            leftSection={<Pencil size={14} aria-hidden="true" />}
            aria-label={`Edit plan ${name}`}
            onClick={onEdit}
          >
            Edit
          </Button>
        </Group>
      </Stack>
    </Card>
  );
}

function Figure({ label, value }: { label: string; value: number }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd className={classes.number}>{formatNumber(value)}</dd>
    </div>
  );
}
