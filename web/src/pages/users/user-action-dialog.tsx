import { useState } from 'react';
import { ConfirmDialog } from '../../kit/confirm-dialog';
import { notifyDone } from '../../kit/notify';
import { PlanDialog } from '../../kit/plan-dialog';
import { userLabel } from '../../kit/user-label';
import { LimitsDialog } from './limits-dialog';
import { LinkDialog } from './link-dialog';
import { RenameDialog } from './rename-dialog';
import type { UserAction, UserDialogProps } from './user-actions';
import { useUpdateUser } from './users-queries';

interface UserActionDialogProps {
  action: UserAction | null;
  onClose: () => void;
}

/** Asks for the input of an action and performs it. The last action stays mounted while its dialog fades out. */
export function UserActionDialog({ action, onClose }: UserActionDialogProps) {
  const [shown, setShown] = useState(action);
  if (action && action !== shown) setShown(action);
  if (!shown) return null;
  const { kind, user } = shown;
  const frame = { opened: action !== null, onClose };
  const dialog = { ...frame, user };
  switch (kind) {
    case 'rename':
      return <RenameDialog {...dialog} />;
    case 'plan':
      return <PlanDialog {...frame} owner={{ id: user.id, label: userLabel(user), plan: user.plan }} />;
    case 'limits':
      return <LimitsDialog {...dialog} />;
    case 'link':
      return <LinkDialog {...dialog} />;
    case 'role':
      return <RoleDialog {...dialog} />;
    case 'disable':
    case 'enable':
      return <DisableDialog {...dialog} disabled={kind === 'disable'} />;
  }
}

function RoleDialog({ user, ...dialog }: UserDialogProps) {
  const update = useUpdateUser();
  const role = user.role === 'admin' ? 'member' : 'admin';
  const setRole = (wanted: 'admin' | 'member') => update.mutateAsync({ id: user.id, role: wanted });
  return (
    <ConfirmDialog
      {...dialog}
      title={role === 'admin' ? 'Make an admin?' : 'Make a member?'}
      confirmLabel={role === 'admin' ? 'Make an admin' : 'Make a member'}
      onConfirm={async () => {
        await setRole(role);
        notifyDone(
          `${userLabel(user)} is ${role === 'admin' ? 'an admin' : 'a member'} now`,
          () => void setRole(user.role),
        );
      }}
    >
      {role === 'admin' ? (
        <>
          <b>{userLabel(user)}</b> will manage users, plans and upstreams, and see everyone’s usage.
        </>
      ) : (
        <>
          <b>{userLabel(user)}</b> will see only their own keys and usage.
        </>
      )}
    </ConfirmDialog>
  );
}

function DisableDialog({ user, disabled, ...dialog }: UserDialogProps & { disabled: boolean }) {
  const update = useUpdateUser();
  const verb = disabled ? 'Disable' : 'Enable';
  return (
    <ConfirmDialog
      {...dialog}
      title={`${verb} ${userLabel(user)}?`}
      confirmLabel={verb}
      isDangerous={disabled}
      onConfirm={async () => {
        await update.mutateAsync({ id: user.id, disabled });
        notifyDone(`${userLabel(user)} was ${disabled ? 'disabled' : 'enabled'}`);
      }}
    >
      {disabled
        ? `All sessions of this user end now${keysOf(user.keys)}. Nothing is deleted: you can enable the account again.`
        : 'The user can sign in again, and the keys that have not expired or been revoked work again.'}
    </ConfirmDialog>
  );
}

function keysOf(count: number): string {
  if (count === 0) return '';
  return `, and ${count === 1 ? 'the one key stops' : `the ${count} keys stop`} working within a second`;
}
