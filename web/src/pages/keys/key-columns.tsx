import { Stack, Text } from '@mantine/core';
import type { Column } from '../../kit/data-table.types';
import { Money } from '../../kit/money';
import { NearestLimit } from '../../kit/nearest-limit';
import { formatNumber } from '../../kit/numbers';
import { RelativeTime } from '../../kit/relative-time';
import { sharedDecimals } from '../../kit/shared-decimals';
import { StatusBadge } from '../../kit/status-badge';
import { formatTime } from '../../kit/times';
import type { Scope } from '../../kit/use-scope';
import { userLabel } from '../../kit/user-label';
import { KeyModels } from './key-models';
import { KeyName } from './key-name';
import { stateOf, toneOf, wordsFor } from './key-state';
import classes from './keys.module.css';
import type { KeyView } from './keys-api';

export const KEY_SORTS = ['name', 'key', 'owner', 'status', 'models', 'spent', 'used', 'created', 'expires'] as const;

/** `decimals`: of all amounts in the table. */
export function columnsFor(scope: Scope, now: Date, decimals: number): Column<KeyView>[] {
  return [
    ...(scope === 'all' ? [NAME_AND_KEY, OWNER] : [NAME, KEY]),
    {
      key: 'status',
      header: 'Status',
      cell: (key) => {
        const state = stateOf(key, now);
        return <StatusBadge tone={toneOf(state)}>{wordsFor(state, key, now)}</StatusBadge>;
      },
      isSortable: true,
    },
    {
      key: 'models',
      header: 'Models',
      narrow: 'hide',
      cell: (key) => <KeyModels apiKey={key} />,
      isSortable: true,
    },
    {
      key: 'spent',
      header: 'This month',
      align: 'right',
      cell: ({ spentThisMonth, budgets, rates }) => (
        <div>
          <Money usd={spentThisMonth.costUsd} decimals={decimals} />
          <NearestLimit budgets={budgets} rates={rates} decimals={decimals} />
        </div>
      ),
      isSortable: true,
    },
    {
      key: 'used',
      header: 'Last used',
      cell: ({ lastUsed }) => <RelativeTime value={lastUsed?.at} detail={lastUsed ? detailOf(lastUsed) : undefined} />,
      isSortable: true,
    },
    {
      key: 'created',
      header: 'Created',
      narrow: 'hide',
      onCard: 'hide',
      cell: ({ createdAt }) => <RelativeTime value={createdAt} as="date" />,
      isSortable: true,
    },
    {
      key: 'expires',
      header: 'Expires',
      narrow: 'hide',
      onCard: 'hide',
      cell: ({ expiresAt }) => <RelativeTime value={expiresAt} as="date" />,
      isSortable: true,
    },
  ];
}

const NAME: Column<KeyView> = {
  key: 'name',
  header: 'Name',
  onCard: 'title',
  cell: (key) => <KeyName apiKey={key} below={<Note text={key.note} />} />,
  isSortable: true,
};

const KEY: Column<KeyView> = {
  key: 'key',
  header: 'Key',
  cell: (key) => <KeyDisplay apiKey={key} />,
  isSortable: true,
};

/** Both in one column, so that with the owner everything still fits a small laptop. */
const NAME_AND_KEY: Column<KeyView> = {
  ...NAME,
  header: 'Name and key',
  cell: (key) => <KeyName apiKey={key} below={<KeyDisplay apiKey={key} />} />,
};

const OWNER: Column<KeyView> = {
  key: 'owner',
  header: 'Owner',
  cell: ({ owner }) => (
    <Text size="sm" truncate className={classes.owner} title={userLabel(owner)}>
      {userLabel(owner)}
    </Text>
  ),
  isSortable: true,
};

const MOST_DECIMALS = 4;

/** The decimals of the amounts of these keys. */
export function decimalsFor(keys: readonly KeyView[]): number {
  const amounts = keys.flatMap(({ spentThisMonth, budgets }) => [
    spentThisMonth.costUsd,
    ...budgets.map(({ amountUsd }) => amountUsd),
  ]);
  return sharedDecimals(amounts, MOST_DECIMALS);
}

function Note({ text }: { text: string }) {
  if (text === '') return null;
  return (
    <Text size="xs" c="dimmed" truncate title={text}>
      {text}
    </Text>
  );
}

function KeyDisplay({ apiKey: { display, previous } }: { apiKey: KeyView }) {
  return (
    <Stack gap={0}>
      <span className={classes.key}>{display}</span>
      {previous && (
        <Text
          size="xs"
          c="dimmed"
          className={classes.previous}
          title={`${previous.display} works until ${formatTime(new Date(previous.expiresAt))}`}
        >
          old key ends <RelativeTime value={previous.expiresAt} />
        </Text>
      )}
    </Stack>
  );
}

function detailOf({ address, userAgent, model }: NonNullable<KeyView['lastUsed']>): string {
  return [address && `From ${address}`, userAgent && `With ${userAgent}`, model && `Model ${model}`]
    .filter(Boolean)
    .join('\n');
}

/** "3 requests" */
export function requestsText(count: number): string {
  return count === 1 ? '1 request' : `${formatNumber(count)} requests`;
}
