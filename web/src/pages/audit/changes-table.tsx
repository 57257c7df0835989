import ArrowRight from 'icon:arrow-right';
import { Text, VisuallyHidden } from '@mantine/core';
import { Table } from '../../kit/table';
import classes from './audit.module.css';
import type { AuditEntry } from './audit-api';
import { type Change, changesOf } from './changes';

/** The changes of an entry, field by field. */
export function ChangesTable({ entry }: { entry: AuditEntry }) {
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
