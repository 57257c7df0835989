import { Badge, Group, Stack, Text } from '@mantine/core';
import type { Column } from '../../kit/data-table.types';
import { ShareBar } from '../../kit/level-bar';
import { TextLink } from '../../kit/links';
import { Money } from '../../kit/money';
import { formatPercent } from '../../kit/numbers';
import { RelativeTime } from '../../kit/relative-time';
import { formatUsdTogether } from '../../kit/shared-decimals';
import { StatusBadge } from '../../kit/status-badge';
import { isUsedUp, PERIOD_LABELS, SCOPE_NAMES, STATE_NAMES, STATE_TONES, shareOf, stateOf } from './budget-words';
import classes from './budgets.module.css';
import type { BudgetStanding } from './budgets-api';

/** `decimals`: of all amounts in the table. */
export function budgetColumns(decimals: number): Column<BudgetStanding>[] {
  const money = (usd: number) => <Money usd={usd} decimals={decimals} />;
  return [
    { key: 'name', header: 'Owner', onCard: 'title', sortValue: ({ name }) => name, cell: (one) => <Whose {...one} /> },
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
            size={4}
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
      cell: ({ forecastUsd }) => (forecastUsd === null ? '–' : money(forecastUsd)),
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

function Whose({ scope, id, projectId, name, detail }: BudgetStanding) {
  const ofOwner = scope === 'key' ? '/keys/$id' : '/users/$id';
  return (
    <Stack gap={0} className={classes.whose}>
      <Group gap={6} wrap="nowrap">
        <TextLink
          to={projectId === null ? ofOwner : '/projects/$id'}
          params={{ id: projectId ?? id }}
          className={classes.name}
        >
          {name}
        </TextLink>
        <Badge color="gray">{SCOPE_NAMES[scope]}</Badge>
      </Group>
      {detail && (
        <Text size="xs" c="dimmed" truncate>
          {detail}
        </Text>
      )}
    </Stack>
  );
}
