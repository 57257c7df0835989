import Wallet from 'icon:wallet';
import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { DataTable } from '../../kit/data-table';
import { EmptyState } from '../../kit/empty-state';
import { Page } from '../../kit/page';
import { Select } from '../../kit/select';
import { sharedDecimals } from '../../kit/shared-decimals';
import { useUrlValues } from '../../kit/use-url-state';
import { budgetColumns } from './budget-columns';
import { PERIOD_LABELS, SCOPE_NAMES, STATE_NAMES, stateOf } from './budget-words';
import classes from './budgets.module.css';
import { type BudgetStanding, budgetsQuery } from './budgets-api';

const MAX_DECIMALS = 4;

const FILTERS = [
  { name: 'state', label: 'State', all: 'Any state', names: STATE_NAMES },
  { name: 'budget', label: 'Set for', all: 'Set for anyone', names: SCOPE_NAMES },
  { name: 'period', label: 'Period', all: 'Any period', names: PERIOD_LABELS },
] as const;

const searchText = ({ name, detail }: BudgetStanding) => `${name} ${detail ?? ''}`;

/** Which budgets are nearly spent, and which will not last. */
export function BudgetsPage() {
  const query = useQuery({ ...budgetsQuery, select: ({ items }) => items });
  const { data: isComplete } = useQuery({ ...budgetsQuery, select: (standings) => standings.isComplete });
  const [values, change] = useUrlValues();
  const { state = '', budget = '', period = '' } = values;
  const columns = useMemo(() => budgetColumns(decimalsOf(query.data ?? [])), [query.data]);
  const rows = query.data?.filter(
    (one) =>
      (state === '' || stateOf(one) === state) &&
      (budget === '' || one.scope === budget) &&
      (period === '' || one.period === period),
  );
  return (
    <Page
      title="Budgets"
      description="Budgets with spending, fullest first. Forecasts assume that the spending of the last seven days continues."
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
          <EmptyState icon={Wallet} title="No budget is in use">
            Set a budget for a plan, a user or a key: it appears here once something is spent.
          </EmptyState>
        }
      />
      {isComplete === false && (
        <Text size="sm" c="dimmed" mt="sm">
          Only the 500 owners with the fullest budgets are listed.
        </Text>
      )}
    </Page>
  );
}

function decimalsOf(budgets: readonly BudgetStanding[]): number {
  const amounts = budgets.flatMap(({ amountUsd, spentUsd, forecastUsd }) => [amountUsd, spentUsd, forecastUsd ?? 0]);
  return sharedDecimals(amounts, MAX_DECIMALS);
}
