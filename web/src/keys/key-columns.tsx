import { Stack, Text, UnstyledButton } from '@mantine/core';
import type { Column } from '../kit/data-table-rows';
import { Money, RelativeTime } from '../kit/figures';
import { NearestLimit } from '../kit/limit-bars';
import { plural, sharedDecimals } from '../kit/numbers';
import { DropPanel } from '../kit/on-demand';
import { TextLink } from '../kit/page';
import { Select } from '../kit/select';
import { StatusBadge } from '../kit/status-badge';
import { formatTime } from '../kit/times';
import type { Scope } from '../kit/url-state';
import { userLabel } from '../kit/words';
import { KeyName } from './key-name';
import { STATUS_FILTERS, type StatusFilter, stateOf, toneOf, wordsFor } from './key-state';
import classes from './keys.module.css';
import type { KeyView } from './keys-api';

/** Has the focus itself, because it contains nothing to choose. */
const PANEL = { maw: 320, tabIndex: -1, 'data-autofocus': true };

/** "All", or the number of models, with their names on click. */
function KeyModels({ apiKey: { name, models } }: { apiKey: KeyView }) {
  if (models === null) return <Text size="sm">All</Text>;
  return (
    <DropPanel
      position="bottom-start"
      dropdown={PANEL}
      target={
        <UnstyledButton
          className={classes.models}
          aria-label={`${plural(models.length, 'model')} of ${name}: show them`}
        >
          {models.length}
        </UnstyledButton>
      }
    >
      <ul className={classes.modelList}>
        {models.map((model) => (
          <li key={model}>{model}</li>
        ))}
      </ul>
    </DropPanel>
  );
}

interface StatusSelectProps {
  value: StatusFilter;
  onChange: (status: StatusFilter) => void;
}

/** The filter of a list of keys by status. */
export function StatusSelect({ value, onChange }: StatusSelectProps) {
  return (
    <Select
      className={classes.filter}
      aria-label="Status"
      data={STATUS_FILTERS}
      value={value}
      allowDeselect={false}
      onChange={(chosen) => chosen && onChange(chosen)}
    />
  );
}

export const KEY_SORTS = ['name', 'key', 'owner', 'status', 'models', 'spent', 'used', 'created', 'expires'] as const;

interface KeyColumnsOptions {
  /** `project`: the keys of one project. */
  scope: Scope | 'project';
  now: Date;
  /** Of all amounts in the table. */
  decimals: number;
  isReadOnly?: boolean;
}

export function columnsFor({ scope, now, decimals, isReadOnly = false }: KeyColumnsOptions): Column<KeyView>[] {
  return [
    ...(scope === 'mine' ? [NAME, KEY] : [nameAndKey(isReadOnly), scope === 'all' ? OWNER : USED_BY]),
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
function nameAndKey(isReadOnly: boolean): Column<KeyView> {
  return {
    ...NAME,
    header: 'Name and key',
    cell: (key) => <KeyName apiKey={key} below={<KeyDisplay apiKey={key} />} isReadOnly={isReadOnly} />,
  };
}

const OWNER: Column<KeyView> = {
  key: 'owner',
  header: 'Owner',
  cell: ({ owner, project }) => (
    <div className={classes.owner}>
      {owner.kind !== 'project' && (
        <Text size="sm" truncate title={userLabel(owner)}>
          {userLabel(owner)}
        </Text>
      )}
      {project && (
        <TextLink
          size="sm"
          truncate
          display="block"
          to="/projects/$id"
          params={{ id: project.id }}
          search={{ tab: 'keys' }}
        >
          {project.name}
        </TextLink>
      )}
    </div>
  ),
  isSortable: true,
};

/** Within a project. */
const USED_BY: Column<KeyView> = {
  key: 'owner',
  header: 'Used by',
  cell: ({ owner }) => (
    <Text size="sm" truncate className={classes.owner} c={owner.kind === 'project' ? 'dimmed' : undefined}>
      {owner.kind === 'project' ? 'The project' : owner.name}
    </Text>
  ),
  isSortable: true,
};

const MAX_DECIMALS = 4;

/** The decimals of the amounts of these keys. */
export function decimalsFor(keys: readonly KeyView[]): number {
  const amounts = keys.flatMap(({ spentThisMonth, budgets }) => [
    spentThisMonth.costUsd,
    ...budgets.map(({ amountUsd }) => amountUsd),
  ]);
  return sharedDecimals(amounts, MAX_DECIMALS);
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
  return plural(count, 'request');
}
