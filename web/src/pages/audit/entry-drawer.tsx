import ArrowRight from 'icon:arrow-right';
import ListFilter from 'icon:list-filter';
import { Button, Code, Drawer, Group, Stack, Text, Title, VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';
import { CopyableId, Fact, Facts } from '../../kit/figures';
import { Table } from '../../kit/table';
import { formatTime } from '../../kit/times';
import classes from './audit.module.css';
import type { AuditEntry } from './audit-api';
import { actorKind, type Change, changesOf, entryText, TARGET_KINDS } from './audit-words';

/** The changes of an entry, field by field. */
function ChangesTable({ entry }: { entry: AuditEntry }) {
  const changes = changesOf(entry);
  if (changes.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        No further details.
      </Text>
    );
  }
  const hasBoth = entry.before !== null && entry.after !== null;
  const side = entry.before === null ? 'after' : 'before';
  return (
    <div className={classes.changes}>
      <Table aria-label="What changed" className={classes.diff} layout="fixed">
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col" w="26%">
              Field
            </Table.Th>
            {hasBoth ? (
              <>
                <Table.Th scope="col">Before</Table.Th>
                <Table.Th scope="col">After</Table.Th>
              </>
            ) : (
              <Table.Th scope="col">{side === 'after' ? 'Value' : 'Previous value'}</Table.Th>
            )}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {changes.map((change) => (
            <Table.Tr key={change.field} data-changed={(hasBoth && change.isChanged) || undefined}>
              <Table.Th scope="row">
                {change.field}
                {hasBoth && change.isChanged && <VisuallyHidden> (changed)</VisuallyHidden>}
              </Table.Th>
              {hasBoth ? <Both change={change} /> : <Value text={change[side]} />}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}

function Both({ change: { before, after, isChanged } }: { change: Change }) {
  return (
    <>
      <Value text={before} tone={isChanged ? 'old' : undefined} />
      <Value text={after} tone={isChanged ? 'new' : undefined} />
    </>
  );
}

function Value({ text, tone }: { text: string | null; tone?: 'old' | 'new' }) {
  return (
    <Table.Td className={classes.value} data-tone={tone}>
      {tone === 'new' && <ArrowRight size={13} aria-hidden="true" className={classes.arrow} />}
      {text ?? '–'}
    </Table.Td>
  );
}

interface EntryDrawerProps {
  /** Null closes the drawer. */
  entry: AuditEntry | null;
  onClose: () => void;
  /** Filters the list by this target or actor. */
  onFilter: (filter: { target: string } | { actor: string }) => void;
}

/** One entry with all details. */
export function EntryDrawer({ entry, onClose, onFilter }: EntryDrawerProps) {
  return (
    <Drawer
      opened={entry !== null}
      onClose={onClose}
      title={entry ? entryText(entry) : ''}
      size="lg"
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {entry && (
        <Stack gap="xl">
          <Facts>
            {factsOf(entry).map(([name, value]) => (
              <Fact key={name} name={name}>
                {value}
              </Fact>
            ))}
          </Facts>
          <section>
            <Title order={3} mb="xs">
              What changed
            </Title>
            <ChangesTable entry={entry} />
          </section>
          <FilterButtons entry={entry} onFilter={onFilter} />
        </Stack>
      )}
    </Drawer>
  );
}

function factsOf(entry: AuditEntry): [string, ReactNode][] {
  const { actor, target, at, address, requestId, action } = entry;
  return [
    ['When', <Times key="when" at={new Date(at)} />],
    ['Who', <Named key="who" name={actor.name} detail={actor.kind === 'user' ? null : actorKind(entry)} />],
    ['Target', <Named key="what" name={target.name || '–'} detail={TARGET_KINDS[target.kind]} />],
    ...(target.id && target.id !== target.name
      ? [['Id', <CopyableId key="id" value={target.id} what="id" />] as NamedFact]
      : []),
    ['From', address ?? 'No address'],
    ...(requestId
      ? [['Request id', <CopyableId key="request" value={requestId} what="request id" />] as NamedFact]
      : []),
    ['Action', <Code key="action">{action}</Code>],
  ];
}

type NamedFact = [string, ReactNode];

function Times({ at }: { at: Date }) {
  return (
    <time dateTime={at.toISOString()}>
      {formatTime(at)}
      {formatTime(at, 'utc') !== formatTime(at) && (
        <Text size="xs" c="dimmed">
          {formatTime(at, 'utc')}
        </Text>
      )}
    </time>
  );
}

function Named({ name, detail }: { name: string; detail: string | null }) {
  return (
    <>
      {name}
      {detail && (
        <Text size="xs" c="dimmed">
          {detail}
        </Text>
      )}
    </>
  );
}

function FilterButtons({
  entry: { target, actor },
  onFilter,
}: Pick<EntryDrawerProps, 'onFilter'> & { entry: AuditEntry }) {
  const icon = <ListFilter size={15} aria-hidden="true" />;
  return (
    <Group gap="xs">
      {target.id && (
        <Button
          variant="default"
          size="xs"
          leftSection={icon}
          onClick={() => onFilter({ target: `${target.kind}:${target.id}` })}
        >
          All entries about {target.name || 'this'}
        </Button>
      )}
      <Button
        variant="default"
        size="xs"
        leftSection={icon}
        onClick={() => onFilter({ actor: actor.id ?? actor.name })}
      >
        All entries by {actor.name}
      </Button>
    </Group>
  );
}
