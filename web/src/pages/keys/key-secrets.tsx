import { Button, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { DataTable } from '../../kit/data-table';
import type { Column } from '../../kit/data-table.types';
import classes from '../../kit/keys/keys.module.css';
import { type KeyView, keyQuery } from '../../kit/keys/keys-api';
import { RelativeTime } from '../../kit/relative-time';
import { Section } from '../../kit/section';

interface Secret {
  display: string;
  isCurrent: boolean;
  madeAt: string | null;
  endsAt: string | null;
  usedAt: string | null;
  usedFrom: string | undefined;
}

interface KeySecretsProps {
  keyId: string;
  /** Absent if the person cannot end a secret. */
  onEnd: (() => void) | undefined;
}

/** The current secret of a key and, during a rotation, the previous one. */
export function KeySecrets({ keyId, onEnd }: KeySecretsProps) {
  const query = useQuery({ ...keyQuery(keyId), select: secretsOf });
  return (
    <Section title="Secrets">
      <DataTable
        label="secrets"
        query={query}
        columns={onEnd && query.data?.some(({ isCurrent }) => !isCurrent) ? [...COLUMNS, endColumn(onEnd)] : COLUMNS}
        rowKey={({ isCurrent }) => (isCurrent ? 'current' : 'previous')}
        rowLabel={({ display }) => display}
        empty={null}
      />
    </Section>
  );
}

function secretsOf({ display, previous, ...key }: KeyView): Secret[] {
  const { lastUsed, secretUsedAt } = key;
  const present: Secret = {
    ...{ display, isCurrent: true, madeAt: key.rotatedAt ?? key.createdAt, endsAt: key.expiresAt },
    usedAt: secretUsedAt,
    usedFrom: lastUsed?.at === secretUsedAt && lastUsed ? usedFrom(lastUsed) : undefined,
  };
  if (!previous) return [present];
  const { lastUsed: use } = previous;
  const before: Secret = {
    ...{ display: previous.display, isCurrent: false, madeAt: null, endsAt: previous.expiresAt },
    usedAt: use?.at ?? null,
    usedFrom: use ? usedFrom(use) : undefined,
  };
  return [present, before];
}

/** "203.0.113.7 · python-requests/2.31" */
function usedFrom({ address, userAgent }: { address: string | null; userAgent: string | null }): string {
  return [address, userAgent].filter((part) => part !== null).join(' · ');
}

const COLUMNS: Column<Secret>[] = [
  {
    key: 'secret',
    header: 'Secret',
    onCard: 'title',
    cell: ({ display, isCurrent }) => (
      <>
        <span className={classes.key}>{display}</span>
        <Text size="xs" c="dimmed">
          {isCurrent ? 'Current' : 'Previous'}
        </Text>
      </>
    ),
  },
  { key: 'made', header: 'Created', cell: ({ madeAt }) => <RelativeTime value={madeAt} never="–" /> },
  { key: 'ends', header: 'Ends', cell: ({ endsAt }) => <RelativeTime value={endsAt} /> },
  {
    key: 'used',
    header: 'Last used',
    cell: ({ usedAt, usedFrom }) => (
      <>
        <RelativeTime value={usedAt} />
        {usedFrom && (
          <Text size="xs" c="dimmed" lineClamp={1} title={usedFrom}>
            {usedFrom}
          </Text>
        )}
      </>
    ),
  },
];

function endColumn(onEnd: () => void): Column<Secret> {
  return {
    key: 'end',
    header: 'Action',
    align: 'right',
    cell: ({ isCurrent }) =>
      !isCurrent && (
        <Button size="xs" variant="light" color="red" onClick={onEnd}>
          End now
        </Button>
      ),
  };
}
