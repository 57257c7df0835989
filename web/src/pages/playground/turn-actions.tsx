import ArrowDown from 'icon:arrow-down';
import ArrowUp from 'icon:arrow-up';
import Pencil from 'icon:pencil';
import RotateCw from 'icon:rotate-cw';
import Trash2 from 'icon:trash';
import { ActionIcon } from '@mantine/core';
import type { Icon } from '../../icons/icon';
import { CopyButton } from '../../kit/copy-button';
import { Tip } from '../../kit/tip';
import type { Turn } from './chat.types';
import classes from './turn.module.css';

/** The actions on messages of a conversation. */
export interface TurnCommands {
  /** Null while an answer is running, when nothing can be changed. */
  readonly change: ((id: string, text: string) => void) | null;
  readonly remove: (id: string) => void;
  readonly move: (id: string, step: -1 | 1) => void;
  readonly regenerate: (id: string) => void;
}

interface TurnActionsProps {
  turn: Turn;
  isFirst: boolean;
  isLast: boolean;
  commands: TurnCommands;
  onEdit: () => void;
}

export function TurnActions({ turn, isFirst, isLast, commands, onEdit }: TurnActionsProps) {
  const { id, role } = turn;
  return (
    <div className={classes.actions}>
      {turn.text !== '' && <CopyButton value={turn.text} what="message" size={14} />}
      <Action icon={Pencil} label="Edit" onClick={onEdit} />
      <Action
        icon={RotateCw}
        label={role === 'assistant' ? 'Answer again' : 'Answer from here'}
        onClick={() => commands.regenerate(id)}
      />
      {!isFirst && <Action icon={ArrowUp} label="Move up" onClick={() => commands.move(id, -1)} />}
      {!isLast && <Action icon={ArrowDown} label="Move down" onClick={() => commands.move(id, 1)} />}
      <Action icon={Trash2} label="Delete" onClick={() => commands.remove(id)} />
    </div>
  );
}

interface ActionProps {
  icon: Icon;
  label: string;
  onClick: () => void;
}

function Action({ icon: Icon, label, onClick }: ActionProps) {
  return (
    <Tip label={label}>
      <ActionIcon aria-label={label} onClick={onClick}>
        <Icon size={14} aria-hidden="true" />
      </ActionIcon>
    </Tip>
  );
}
