import Pencil from 'icon:pencil';
import Plus from 'icon:plus';
import Wallet from 'icon:wallet';
import { ActionIcon, Badge, Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { mayAll, useSession } from '../../api/session';
import {
  type BudgetStanding,
  budgetsQuery,
  isUsedUp,
  PERIOD_LABELS,
  SCOPE_NAMES,
  STATE_NAMES,
  STATE_TONES,
  shareOf,
  stateOf,
} from '../../kit/budget-words';
import { DataTable } from '../../kit/data-table';
import type { Column } from '../../kit/data-table-rows';
import { Money, RelativeTime } from '../../kit/figures';
import { ShareBar } from '../../kit/limit-bars';
import { formatPercent, formatUsdTogether, plural, sharedDecimals } from '../../kit/numbers';
import { onDemand } from '../../kit/on-demand';
import { Page, TextLink } from '../../kit/page';
import { ScopeSwitch, Select } from '../../kit/select';
import { EmptyState } from '../../kit/states';
import { StatusBadge } from '../../kit/status-badge';
import { useAddressCheck, useUrlValues, useUsageScope } from '../../kit/url-state';
import type { BudgetOwner } from './budget-dialog';
import classes from './budgets.module.css';

/** A forecast from fewer days is marked. */
const FEW_DAYS = 3;

/** `decimals`: of all amounts in the table. `onEdit`: sets a budget of this owner. */
function budgetColumns(decimals: number, onEdit: (owner: BudgetOwner) => void): Column<BudgetStanding>[] {
  const money = (usd: number) => <Money usd={usd} decimals={decimals} />;
  return [
    {
      key: 'name',
      header: 'Owner',
      onCard: 'title',
      sortValue: ({ name }) => name,
      cell: (one) => <Whose budget={one} onEdit={onEdit} />,
    },
    {
      key: 'state',
      header: 'State',
      sortValue: (one) => STATE_NAMES[stateOf(one)],
      cell: (one) => (
        <div className={classes.state}>
          <StatusBadge tone={STATE_TONES[stateOf(one)]}>{STATE_NAMES[stateOf(one)]}</StatusBadge>
          {one.uncoveredUsd !== null && stateOf(one) === 'short' && (
            <Text size="xs" c="dimmed">
              Refused a call that reserves {formatUsdTogether([one.uncoveredUsd, one.amountUsd])[0]}
            </Text>
          )}
        </div>
      ),
    },
    { key: 'period', header: 'Period', sortValue: ({ period }) => period, cell: ({ period }) => PERIOD_LABELS[period] },
    {
      key: 'share',
      header: 'Spent',
      align: 'right',
      sortValue: shareOf,
      cell: (one) => (
        <div className={classes.spent}>
          {money(one.spentUsd)} of {money(one.amountUsd)}
          <Text size="xs" c="dimmed">
            {formatPercent(shareOf(one))}
            {one.reservedUsd > 0 && <> · {money(one.reservedUsd)} reserved</>}
          </Text>
          <ShareBar
            share={shareOf(one)}
            isFull={isUsedUp(stateOf(one))}
            name={`Budget of ${one.name}`}
            verb="spent"
            height={4}
          />
        </div>
      ),
    },
    {
      key: 'left',
      header: 'Left',
      align: 'right',
      narrow: 'hide',
      sortValue: ({ amountUsd, spentUsd }) => amountUsd - spentUsd,
      cell: ({ amountUsd, spentUsd }) => money(Math.max(0, amountUsd - spentUsd)),
    },
    {
      key: 'forecast',
      header: 'At month’s end',
      align: 'right',
      sortValue: ({ forecastUsd }) => forecastUsd,
      cell: ({ forecastUsd, historyDays }) =>
        forecastUsd === null ? (
          '–'
        ) : (
          <div>
            {money(forecastUsd)}
            {historyDays !== null && historyDays < FEW_DAYS && (
              <Text size="xs" c="dimmed">
                Little history: {plural(historyDays, 'day')}
              </Text>
            )}
          </div>
        ),
    },
    {
      key: 'runsOut',
      header: 'Runs out',
      sortValue: ({ runsOutAt }) => runsOutAt,
      cell: (one) => (isUsedUp(stateOf(one)) ? 'Now' : <RelativeTime value={one.runsOutAt} never="–" />),
    },
    {
      key: 'resets',
      header: 'Resets',
      narrow: 'hide',
      sortValue: ({ resetsAt }) => resetsAt,
      cell: ({ resetsAt }) => <RelativeTime value={resetsAt} />,
    },
  ];
}

/** Whose budget it is to set: a plan's is replaced by an own one of the user or project that has the plan. */
function ownerOf({ scope, id, projectId, name }: BudgetStanding): BudgetOwner {
  if (scope === 'key') return { kind: 'key', id, label: name };
  const isOfProject = scope === 'project' || (scope === 'plan' && projectId !== null);
  return isOfProject ? { kind: 'project', id: projectId ?? id, label: name } : { kind: 'user', id, label: name };
}

interface WhoseProps {
  budget: BudgetStanding;
  onEdit: (owner: BudgetOwner) => void;
}

function Whose({ budget, onEdit }: WhoseProps) {
  const { scope, id, projectId, name, detail } = budget;
  const session = useSession();
  const { projectRole } = session;
  const isAdmin = mayAll(session, 'users.read');
  const owner = ownerOf(budget);
  const mayEdit =
    mayAll(session, 'limits.write') || owner.kind === 'key' || (owner.kind === 'project' && projectRole === 'manager');
  const ofOwner = scope === 'key' ? '/keys/$id' : '/users/$id';
  return (
    <Stack gap={0} className={classes.whose}>
      <Group gap={6} wrap="nowrap">
        {isAdmin || scope === 'key' || projectId !== null ? (
          <TextLink
            to={projectId === null ? ofOwner : '/projects/$id'}
            params={{ id: projectId ?? id }}
            className={classes.name}
          >
            {name}
          </TextLink>
        ) : (
          <span className={classes.name}>{name}</span>
        )}
        <Badge color="gray">{SCOPE_NAMES[scope]}</Badge>
        {mayEdit && (
          <ActionIcon size={24} aria-label={`Change the budget of ${name}`} onClick={() => onEdit(owner)}>
            <Pencil size={14} aria-hidden="true" />
          </ActionIcon>
        )}
      </Group>
      {detail && (
        <Text size="xs" c="dimmed" truncate>
          {detail}
        </Text>
      )}
    </Stack>
  );
}

const MAX_DECIMALS = 4;

const FILTERS = [
  { name: 'state', label: 'State', all: 'Any state', names: STATE_NAMES },
  { name: 'budget', label: 'Set for', all: 'Set for anyone', names: SCOPE_NAMES },
  { name: 'period', label: 'Period', all: 'Any period', names: PERIOD_LABELS },
] as const;

const RULES = Object.fromEntries(FILTERS.map(({ name, names }) => [name, Object.keys(names)]));

const searchText = ({ name, detail }: BudgetStanding) => `${name} ${detail ?? ''}`;

const BudgetDialog = onDemand(
  () => import('./budget-dialog').then((module) => module.BudgetDialog),
  ({ owner }) => owner !== null,
  { owner: null },
);

/** Which budgets are nearly spent, and which will not last. */
export function BudgetsPage() {
  const { scope } = useUsageScope('budgets');
  const query = useQuery({ ...budgetsQuery(scope), select: ({ items }) => items });
  const { data: isComplete } = useQuery({ ...budgetsQuery(scope), select: (standings) => standings.isComplete });
  const [values, change] = useUrlValues();
  useAddressCheck(values, RULES);
  const { state = '', budget = '', period = '' } = values;
  const [edited, setEdited] = useState<BudgetOwner | 'choose' | null>(null);
  const columns = useMemo(() => budgetColumns(decimalsOf(query.data ?? []), setEdited), [query.data]);
  const set = (
    <Button leftSection={<Plus size={16} aria-hidden="true" />} onClick={() => setEdited('choose')}>
      Set a budget
    </Button>
  );
  const rows = query.data?.filter(
    (one) =>
      (state === '' || stateOf(one) === state) &&
      (budget === '' || one.scope === budget) &&
      (period === '' || one.period === period),
  );
  return (
    <Page
      title="Budgets"
      description="Budgets with spending, fullest first. Forecasts assume that the spending of the last days continues, up to seven; for daily budgets that of the last hour."
      actions={
        <>
          <ScopeSwitch what="budgets" />
          {set}
        </>
      }
    >
      <DataTable
        label="Budgets"
        query={query}
        rows={rows}
        columns={columns}
        rowKey={({ id, scope, period: of }) => `${scope} ${id} ${of}`}
        rowLabel={({ name }) => name}
        defaultSort={{ key: 'share', descending: true }}
        searchText={searchText}
        searchLabel="Search budgets"
        onClearFilters={() => change({ state: undefined, budget: undefined, period: undefined })}
        filters={FILTERS.map(({ name, label, all, names }) => (
          <Select
            key={name}
            aria-label={label}
            className={classes.filter}
            data={[
              { value: '', label: all },
              ...Object.entries(names).map(([value, text]) => ({ value, label: text })),
            ]}
            value={values[name] ?? ''}
            onChange={(value) => change({ [name]: value || undefined })}
            allowDeselect={false}
          />
        ))}
        empty={
          <EmptyState icon={Wallet} title="No budget is in use" action={set}>
            A budget of a plan, a user, a key or a project appears here once something is spent.
          </EmptyState>
        }
      />
      {isComplete === false && (
        <Text size="sm" c="dimmed" mt="sm">
          Only the 500 owners with the fullest budgets are listed.
        </Text>
      )}
      <BudgetDialog owner={edited} onClose={() => setEdited(null)} />
    </Page>
  );
}

function decimalsOf(budgets: readonly BudgetStanding[]): number {
  const amounts = budgets.flatMap(({ amountUsd, spentUsd, forecastUsd }) => [amountUsd, spentUsd, forecastUsd ?? 0]);
  return sharedDecimals(amounts, MAX_DECIMALS);
}
