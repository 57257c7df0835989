import Archive from 'icon:archive';
import ArchiveRestore from 'icon:archive-restore';
import CalendarClock from 'icon:calendar-clock';
import CircleSlash from 'icon:circle-slash';
import Pencil from 'icon:pencil';
import Plus from 'icon:plus';
import ShieldCheck from 'icon:shield-check';
import Sparkles from 'icon:sparkles';
import UserPlus from 'icon:user-plus';
import { Badge, Button, Card, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { plansQuery } from '../../api/lists';
import type { Column } from '../../kit/data-table-rows';
import { RelativeTime, useNow } from '../../kit/figures';
import { limitTexts } from '../../kit/limits';
import { ListTable, useListView } from '../../kit/list-table';
import { formatNumber, plural } from '../../kit/numbers';
import { onDemand } from '../../kit/on-demand';
import { Grid, Page } from '../../kit/page';
import { EmptyState, QueryStates } from '../../kit/states';
import { StatusBadge } from '../../kit/status-badge';
import { formatRelative } from '../../kit/times';
import { userLabel } from '../../kit/words';
import type { PlanDialog } from './plan-dialogs';
import { holdersQuery, type PlanHolder, type PlanView, sourceText } from './plan-words';
import classes from './plans.module.css';

interface PlanCardProps {
  plan: PlanView;
  onEdit: () => void;
  onGrant: () => void;
  onGuards: () => void;
  onRetire: () => void;
}

/** What a plan includes, and how many users it has. */
function PlanCard({ plan, onEdit, onGrant, onGuards, onRetire }: PlanCardProps) {
  const { id, name, tiers, namedModels, isDefault, isRetired, models, users, limits, guards } = plan;
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
                  {plural(namedModels.length, 'additional model')}
                </Badge>
              )}
            </Group>
          </dd>
        </div>
      </dl>
      <Text size="sm" mb="md">
        {limited.length > 0 ? `Each user: ${limited.join(', ')}` : 'No limits, no budgets'}
        {guards.length > 0 && `. Guards: ${guards.join(', ')}`}
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
          <Button
            size="xs"
            variant="default"
            leftSection={<ShieldCheck size={14} aria-hidden="true" />}
            aria-label={`Guards of plan ${name}`}
            onClick={onGuards}
          >
            Guards
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

const SOON_MS = 7 * 86_400_000;

const HOLDER_SORTS = ['user', 'since', 'until', 'source'] as const;

function holderColumns(now: Date): Column<PlanHolder>[] {
  return [
    {
      key: 'user',
      header: 'User',
      onCard: 'title',
      isSortable: true,
      cell: ({ email, name }) => (
        <div>
          <Text size="sm" fw={500} truncate maw={320}>
            {email ?? name}
          </Text>
          {email && name && (
            <Text size="xs" c="dimmed" truncate maw={320}>
              {name}
            </Text>
          )}
        </div>
      ),
    },
    { key: 'status', header: 'Status', cell: (holder) => <HolderStatus holder={holder} now={now} /> },
    {
      key: 'since',
      header: 'Since',
      isSortable: true,
      cell: ({ since }) => <RelativeTime value={since} as="date" />,
    },
    {
      key: 'until',
      header: 'Until',
      isSortable: true,
      cell: ({ until }) => <RelativeTime value={until} as="date" never="No end" />,
    },
    { key: 'source', header: 'Granted by', isSortable: true, cell: sourceText },
  ];
}

function HolderStatus({ holder: { since, until, disabled }, now }: { holder: PlanHolder; now: Date }) {
  if (disabled) return <StatusBadge tone="neutral">User disabled</StatusBadge>;
  // The page's clock ticks slowly: a grant that was made since the last tick is not in the future.
  if (Date.parse(since) > Date.now()) return <StatusBadge tone="waiting">Scheduled</StatusBadge>;
  if (until && Date.parse(until) - now.getTime() < SOON_MS) {
    return <StatusBadge tone="warn">Ends {formatRelative(new Date(until), now)}</StatusBadge>;
  }
  return <StatusBadge tone="good">Active</StatusBadge>;
}

interface PlanHoldersProps {
  plan: PlanView;
  onGrant: () => void;
  onChangeEnd: (holder: PlanHolder) => void;
  onEnd: (holder: PlanHolder) => void;
}

/** The users of a plan. */
function PlanHolders({ plan, onGrant, onChangeEnd, onEnd }: PlanHoldersProps) {
  const view = useListView({ sorts: HOLDER_SORTS, defaultSort: '-since', urlPrefix: `${plan.id}-` });
  const query = useInfiniteQuery(holdersQuery(plan.id, view.query));
  const now = useNow();
  const columns = useMemo(() => holderColumns(now), [now]);
  return (
    <section aria-label={`Users with ${plan.name}`}>
      <Title order={2} size="h2" mt="xl" mb="sm">
        Who has {plan.name}
      </Title>
      <ListTable
        label={`Users with ${plan.name}`}
        query={query}
        view={view}
        columns={columns}
        rowKey={({ userId, since }) => `${userId} ${since}`}
        rowLabel={userLabel}
        searchLabel="Search by e-mail or name"
        menu={(holder, Menu) => (
          <>
            <Menu.Item leftSection={<CalendarClock size={15} aria-hidden="true" />} onClick={() => onChangeEnd(holder)}>
              Change end date
            </Menu.Item>
            <Menu.Item
              color="red"
              leftSection={<CircleSlash size={15} aria-hidden="true" />}
              onClick={() => onEnd(holder)}
            >
              End it now
            </Menu.Item>
          </>
        )}
        empty={
          <EmptyState
            icon={Sparkles}
            title={`No user has ${plan.name} yet`}
            action={<Button onClick={onGrant}>Grant to a user</Button>}
          >
            <Text size="sm" inherit>
              Users can call the plan’s models within a second of the grant.
            </Text>
          </EmptyState>
        }
      />
    </section>
  );
}

const PlanDialogs = onDemand(
  () => import('./plan-dialogs').then((module) => module.PlanDialogs),
  ({ dialog }) => dialog !== null,
  { dialog: null },
);

export function PlansPage() {
  const query = useQuery(plansQuery);
  const [dialog, open] = useState<PlanDialog | null>(null);
  return (
    <Page
      title="Plans"
      description="A plan determines which models its users can call, and how much. Changes take effect within a second."
      actions={
        <Button leftSection={<Plus size={16} aria-hidden="true" />} onClick={() => open({ kind: 'edit', plan: null })}>
          New plan
        </Button>
      }
    >
      <QueryStates query={query} skeleton={<PlansSkeleton />}>
        {({ plans, tiers }) => (
          <>
            <Grid cols={{ base: 1, sm: 2 }} gap="md">
              {plans.map((plan) => (
                <PlanCard
                  key={plan.id}
                  plan={plan}
                  onEdit={() => open({ kind: 'edit', plan })}
                  onGrant={() => open({ kind: 'grant', plan, holder: null })}
                  onGuards={() => open({ kind: 'guards', plan })}
                  onRetire={() => open({ kind: 'retire', plan })}
                />
              ))}
            </Grid>
            {plans
              .filter(({ isDefault }) => !isDefault)
              .map((plan) => (
                <PlanHolders
                  key={plan.id}
                  plan={plan}
                  onGrant={() => open({ kind: 'grant', plan, holder: null })}
                  onChangeEnd={(holder) => open({ kind: 'grant', plan, holder })}
                  onEnd={(holder) => open({ kind: 'end', holder })}
                />
              ))}
            <PlanDialogs dialog={dialog} tiers={tiers} onClose={() => open(null)} />
          </>
        )}
      </QueryStates>
    </Page>
  );
}

function PlansSkeleton() {
  return (
    <Grid cols={{ base: 1, sm: 2 }} gap="md">
      <Skeleton h={190} radius="lg" />
      <Skeleton h={190} radius="lg" />
    </Grid>
  );
}
