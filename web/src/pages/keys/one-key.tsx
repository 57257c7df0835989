import Ellipsis from 'icon:ellipsis';
import SearchX from 'icon:search-x';
import { ActionIcon, Button, Card, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { InheritedLimits } from '../../activity/inherited-limits';
import { LimitsLeft, UsageAndErrors } from '../../activity/usage-and-errors';
import { ApiError } from '../../api/api-error';
import { projectQuery } from '../../api/projects';
import { mayAll, useSession } from '../../api/session';
import type { KeyDialog } from '../../keys/key-dialogs';
import { KeyMenu } from '../../keys/key-menu';
import { KeyName } from '../../keys/key-name';
import { stateOf, toneOf, wordsFor } from '../../keys/key-state';
import classes from '../../keys/keys.module.css';
import { type KeyDetails, type KeyView, keyQuery } from '../../keys/keys-api';
import { DataTable } from '../../kit/data-table';
import type { Column } from '../../kit/data-table-rows';
import { CopyableId, Fact, Facts, RelativeTime, useNow } from '../../kit/figures';
import { currentOpener, DropMenu, onDemand } from '../../kit/on-demand';
import { BackLink, ButtonLink, Grid, Page, Section, TextLink } from '../../kit/page';
import { EmptyState, QueryStates } from '../../kit/states';
import { StatusBadge } from '../../kit/status-badge';
import { userLabel } from '../../kit/words';

interface KeyActionsProps {
  apiKey: KeyView;
  /** Whether the person can switch on its content log. */
  mayStore: boolean;
  onOpen: (dialog: KeyDialog) => void;
}

/** The most important actions as buttons, and all of them in a menu. */
function KeyActions({ apiKey: key, mayStore, onOpen }: KeyActionsProps) {
  return (
    <>
      {key.status !== 'revoked' && (
        <>
          <Button variant="default" onClick={() => onOpen({ kind: 'edit', key })}>
            Edit
          </Button>
          {key.status === 'active' && key.issuer === null && (
            <Button variant="default" onClick={() => onOpen({ kind: 'rotate', key })}>
              Rotate
            </Button>
          )}
          <Button variant="light" color="red" onClick={() => onOpen({ kind: 'revoke', keys: [key] })}>
            Revoke
          </Button>
        </>
      )}
      <DropMenu
        position="bottom-end"
        target={
          <ActionIcon size={36} aria-label={`More actions for ${key.name}`}>
            <Ellipsis size={16} aria-hidden="true" />
          </ActionIcon>
        }
      >
        {(parts) => <KeyMenu parts={parts} apiKey={key} mayStore={mayStore} onOpen={onOpen} />}
      </DropMenu>
    </>
  );
}

/** The facts about a key, and what it can be used for. */
function KeyFacts({ apiKey: key }: { apiKey: KeyDetails }) {
  const now = useNow();
  const state = stateOf(key, now);
  return (
    <Card>
      <Title order={2} size="h2" mb="md">
        About
      </Title>
      <Facts>
        <Fact name="Name">
          <KeyName apiKey={key} isLink={false} below={null} />
        </Fact>
        <Fact name="Key">
          <span className={classes.key}>{key.display}</span>
        </Fact>
        <Fact name="Status">
          <StatusBadge tone={toneOf(state)}>{wordsFor(state, key, now)}</StatusBadge>
        </Fact>
        <Fact name="Owner">
          <Owner owner={key.owner} />
        </Fact>
        {key.project && key.owner.kind !== 'project' && <Fact name="Project">{key.project.name}</Fact>}
        <Fact name="Models">{key.models === null ? 'All that its owner can use' : <Lines of={key.models} />}</Fact>
        <Fact name="Addresses">{key.addresses === null ? 'Any' : <Lines of={key.addresses} />}</Fact>
        <Fact name="Guards">{guardsText(key.guards)}</Fact>
        {key.note !== '' && <Fact name="Note">{key.note}</Fact>}
        <Fact name="Created">
          <RelativeTime value={key.createdAt} as="date" />
        </Fact>
        <Fact name="Expires">
          <RelativeTime value={key.expiresAt} as="date" />
        </Fact>
        <Fact name="Last used">
          <RelativeTime value={key.lastUsed?.at} />
          {key.lastUsed?.model && `, model ${key.lastUsed.model}`}
        </Fact>
        <Fact name="Id">
          <CopyableId value={key.id} what="key id" />
        </Fact>
      </Facts>
    </Card>
  );
}

/** "secrets (all calls), personal (project Support, this key)" */
function guardsText(guards: KeyDetails['guards']): string {
  const names = [...new Set(guards.map(({ guard }) => guard))];
  const sources = (name: string) =>
    guards.flatMap(({ guard, ...source }) => (guard === name ? sourceText(source) : []));
  return names.map((name) => `${name} (${sources(name).join(', ')})`).join(', ') || 'None';
}

function sourceText({ from, name }: Pick<KeyDetails['guards'][number], 'from' | 'name'>): string {
  if (from === 'all') return 'all calls';
  return from === 'key' ? 'this key' : `${from} ${name}`;
}

/** A project that owns a key has no page among the users. */
function Owner({ owner }: Pick<KeyView, 'owner'>) {
  const mayOpenUsers = mayAll(useSession(), 'users.read');
  if (!mayOpenUsers || owner.kind === 'project') return userLabel(owner);
  return (
    <TextLink to="/users/$id" params={{ id: owner.id }} inherit>
      {userLabel(owner)}
    </TextLink>
  );
}

function Lines({ of }: { of: readonly string[] }) {
  return (
    <Stack gap={2} className={classes.lines}>
      {of.map((line) => (
        <span key={line}>{line}</span>
      ))}
    </Stack>
  );
}

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
function KeySecrets({ keyId, onEnd }: KeySecretsProps) {
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

const KeyDialogs = onDemand(
  () => import('../../keys/key-dialogs').then((module) => module.KeyDialogs),
  ({ dialog }) => dialog !== null,
  { dialog: null },
);

/** One key, for its owner and administrators. */
export function OneKey({ id }: { id: string }) {
  const { user } = useSession();
  const query = useQuery(keyQuery(id));
  const [dialog, setDialog] = useState<KeyDialog | null>(null);
  const [opener, setOpener] = useState<HTMLElement | null>(null);
  const open = (next: KeyDialog) => {
    setOpener(currentOpener());
    setDialog(next);
  };
  const key = query.data;
  const mayChange = useMayChange(key);
  if (query.error instanceof ApiError && query.error.status === 404) return <Unknown />;
  return (
    <Page
      title={key?.name ?? 'API key'}
      before={<BackLink to="/keys">API Keys</BackLink>}
      actions={
        key &&
        mayChange && (
          <KeyActions apiKey={key} mayStore={key.owner.id === user.id || key.project !== null} onOpen={open} />
        )
      }
    >
      <QueryStates query={query}>
        {(shown) => (
          <Stack gap="xl">
            <Grid cols={{ base: 1, md: 2 }} gap="lg">
              <KeyFacts apiKey={shown} />
              <Limits apiKey={shown} />
            </Grid>
            <KeySecrets
              keyId={shown.id}
              onEnd={mayChange ? () => open({ kind: 'end-previous', key: shown }) : undefined}
            />
            <UsageAndErrors whose={{ key: shown.id, project: shown.project?.id ?? null }} />
          </Stack>
        )}
      </QueryStates>
      <KeyDialogs newName="" dialog={dialog} opener={opener} onChange={setDialog} />
    </Page>
  );
}

/** Members of a project who are not managers see its keys but cannot change them. */
function useMayChange(key: KeyView | undefined): boolean {
  const { data: project } = useQuery({ ...projectQuery(key?.project?.id ?? ''), enabled: key?.project != null });
  return key !== undefined && (key.project === null || project?.canManage === true);
}

function Limits({ apiKey: { id, budgets, rates } }: { apiKey: KeyView }) {
  return (
    <Card>
      <Title order={2} size="h2" mb="md">
        Limits and what is left
      </Title>
      <LimitsLeft budgets={budgets} rates={rates} none="The key has no limits of its own." />
      <Title order={3} size="h3" mt="lg" mb="sm">
        Inherited limits
      </Title>
      <InheritedLimits keyId={id} />
    </Card>
  );
}

function Unknown() {
  return (
    <Page title="API key" before={<BackLink to="/keys">API Keys</BackLink>}>
      <EmptyState
        icon={SearchX}
        title="Key not found"
        action={
          <ButtonLink to="/keys" variant="default">
            All keys
          </ButtonLink>
        }
      >
        It does not exist, it is not yours, or it is the temporary key of the playground.
      </EmptyState>
    </Page>
  );
}
