import Bot from 'icon:bot';
import SquareTerminal from 'icon:square-terminal';
import UserRound from 'icon:user-round';
import UserRoundX from 'icon:user-round-x';
import { Badge, Text } from '@mantine/core';
import type { Column } from '../../kit/data-table.types';
import { RelativeTime } from '../../kit/relative-time';
import classes from './audit.module.css';
import type { AuditEntry } from './audit-api';
import { entryText, TARGET_KINDS } from './audit-words';

const ACTOR_ICONS = { user: UserRound, command_line: SquareTerminal, gateway: Bot, nobody: UserRoundX };

/** `onOpen` shows the whole entry: with the button of its row, or a click anywhere on it. */
export function auditColumns(onOpen: (entry: AuditEntry) => void): Column<AuditEntry>[] {
  return [
    {
      key: 'action',
      header: 'Action',
      onCard: 'title',
      cell: (entry) => (
        <button type="button" className={classes.open} onClick={() => onOpen(entry)}>
          {entryText(entry)}
        </button>
      ),
    },
    { key: 'target', header: 'Target', cell: ({ target }) => <Target target={target} /> },
    { key: 'actor', header: 'Who', cell: ({ actor }) => <Who actor={actor} /> },
    { key: 'address', header: 'From', narrow: 'hide', cell: ({ address }) => address ?? '–' },
    { key: 'at', header: 'When', cell: ({ at }) => <RelativeTime value={at} /> },
  ];
}

function Target({ target: { kind, name, id } }: Pick<AuditEntry, 'target'>) {
  return (
    <div className={classes.cell}>
      <Badge color="gray" className={classes.kind}>
        {TARGET_KINDS[kind]}
      </Badge>
      <Text size="sm" truncate>
        {name || id || ''}
      </Text>
    </div>
  );
}

function Who({ actor: { kind, name } }: Pick<AuditEntry, 'actor'>) {
  const Icon = ACTOR_ICONS[kind];
  return (
    <div className={classes.cell}>
      <Icon size={15} aria-hidden="true" className={classes.icon} />
      <Text size="sm" truncate>
        {name}
      </Text>
    </div>
  );
}
