import type { UserView } from './users-queries';

export type UserActionKind = 'rename' | 'role' | 'plan' | 'limits' | 'link' | 'disable' | 'enable';

export interface UserAction {
  kind: UserActionKind;
  user: UserView;
}

/** The props of each action's dialog. */
export interface UserDialogProps {
  user: UserView;
  opened: boolean;
  onClose: () => void;
}

interface OfferedAction {
  kind: UserActionKind;
  label: string;
  isDangerous?: boolean;
}

/** The actions for a user in its current state. */
export function userActions({ status, kind, role, source }: UserView): OfferedAction[] {
  const isPerson = kind === 'person';
  return [
    { kind: 'rename', label: 'Rename…' },
    { kind: 'plan', label: 'Change plan…' },
    { kind: 'limits', label: 'Limits…' },
    ...(isPerson ? [{ kind: 'role', label: role === 'admin' ? 'Make a member…' : 'Make an admin…' } as const] : []),
    ...(isPerson && source === 'local' && status !== 'disabled'
      ? [{ kind: 'link', label: 'Create password link…' } as const]
      : []),
    status === 'disabled'
      ? { kind: 'enable', label: 'Enable' }
      : { kind: 'disable', label: 'Disable…', isDangerous: true },
  ];
}
