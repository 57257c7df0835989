import Archive from 'icon:archive';
import ArchiveRestore from 'icon:archive-restore';
import Pencil from 'icon:pencil';
import UserPlus from 'icon:user-plus';
import { Badge, Button, Card, Group, Stack, Text, Title } from '@mantine/core';
import { limitTexts } from '../../kit/limits';
import { formatNumber } from '../../kit/numbers';
import classes from './plans.module.css';
import type { PlanView } from './plans-api';

interface PlanCardProps {
  plan: PlanView;
  onEdit: () => void;
  onGrant: () => void;
  onRetire: () => void;
}

/** What a plan includes, and how many users it has. */
export function PlanCard({ plan, onEdit, onGrant, onRetire }: PlanCardProps) {
  const { id, name, tiers, namedModels, isDefault, isRetired, models, users, limits } = plan;
  const Icon = isRetired ? ArchiveRestore : Archive;
  const limited = limits ? limitTexts(limits) : [];
  return (
    <Card component="section" aria-label={`Plan ${name}`}>
      <Group justify="space-between" align="flex-start" wrap="nowrap">
        <div>
          <Group gap="xs">
            <Title order={2} size="lg">
              {name}
            </Title>
            {isDefault && <Badge color="gray">Default</Badge>}
            {isRetired && <Badge color="gray">Retired</Badge>}
          </Group>
          <Text size="sm" c="dimmed" mt={2}>
            {termsOf(plan)}
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
              {namedModels.length > 0 && (
                <Badge variant="default" title={namedModels.join('\n')}>
                  {namedModels.length === 1 ? '1 additional model' : `${namedModels.length} additional models`}
                </Badge>
              )}
            </Group>
          </dd>
        </div>
      </dl>
      <Text size="sm" mb="md">
        {limited.length > 0 ? `Each user: ${limited.join(', ')}` : 'No limits, no budgets'}
      </Text>
      <Stack mt="auto">
        <Group gap="xs">
          {!isDefault && !isRetired && (
            <Button size="xs" leftSection={<UserPlus size={14} aria-hidden="true" />} onClick={onGrant}>
              Grant to a user
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
          {!isDefault && (
            <Button
              size="xs"
              variant="default"
              leftSection={<Icon size={14} aria-hidden="true" />}
              aria-label={`${isRetired ? 'Reinstate' : 'Retire'} plan ${name}`}
              onClick={onRetire}
            >
              {isRetired ? 'Reinstate' : 'Retire'}
            </Button>
          )}
        </Group>
      </Stack>
    </Card>
  );
}

function termsOf({ isDefault, isRetired }: PlanView): string {
  if (isDefault) return 'All users without another plan';
  return isRetired
    ? 'Cannot be granted to new users; existing users keep it'
    : 'Granted to individual users, or by single sign-on';
}

function Figure({ label, value }: { label: string; value: number }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd className={classes.number}>{formatNumber(value)}</dd>
    </div>
  );
}
