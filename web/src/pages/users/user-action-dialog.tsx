import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type UserLimits, userLimitsQuery } from '../../api/lists';
import { type DialogContent, DialogEnd, DialogHost, Question } from '../../kit/dialog';
import { LimitFields } from '../../kit/limit-fields';
import { inheritedText, LIMIT_NAMES, toOwnLimitInput, toOwnLimitTexts, validateLimits } from '../../kit/limits';
import { FaultNote } from '../../kit/notes';
import { notifyDone } from '../../kit/notify';
import { planDialog } from '../../kit/plan-dialog';
import { QueryStates } from '../../kit/states';
import { useSubmit } from '../../kit/use-submit';
import { userLabel } from '../../kit/words';
import { linkDialog } from './create-user-dialog';
import {
  createLink,
  forgetUser,
  type PasswordLinkView,
  setLimits,
  type UserAction,
  type UserView,
  updateUser,
} from './user-actions';

interface UserDialogProps {
  user: UserView;
  onClose: () => void;
}

/** A user's own limits and budgets, which replace the plan's. */
function Limits({ user, onClose }: UserDialogProps) {
  const query = useQuery(userLimitsQuery(user.id));
  return (
    <QueryStates query={query}>{(limits) => <LimitsForm user={user} limits={limits} onClose={onClose} />}</QueryStates>
  );
}

function LimitsForm({ user, limits, onClose }: UserDialogProps & { limits: UserLimits }) {
  const form = useForm({ initialValues: toOwnLimitTexts(limits.own), validate: validateLimits });
  const { submit, isBusy, fault } = useSubmit(async () => {
    await setLimits(user.id, toOwnLimitInput(form.values, limits.own));
    notifyDone(`The limits of ${userLabel(user)} are saved`);
    onClose();
  });
  return (
    <form onSubmit={form.onSubmit(submit)} noValidate>
      <Stack gap="md">
        <Text size="sm" c="dimmed">
          For all keys of the user together; days and months are in UTC. An empty field takes the value of the plan.
          Changes take effect within a second.
        </Text>
        <LimitFields
          names={LIMIT_NAMES}
          inputProps={(name) => form.getInputProps(name)}
          inherited={(name) => inheritedText(name, limits)}
        />
        <DialogEnd fault={fault} onCancel={onClose}>
          <Button type="submit" loading={isBusy} disabled={!form.isDirty()}>
            Save
          </Button>
        </DialogEnd>
      </Stack>
    </form>
  );
}

function CreateLink({ user, onClose, onCreated }: UserDialogProps & { onCreated: (link: PasswordLinkView) => void }) {
  const { submit, isBusy, fault } = useSubmit(async () => onCreated(await createLink(user.id)));
  return (
    <Stack gap="md">
      <Text size="sm">
        With this link, <b>{userLabel(user)}</b> can choose a new password. Earlier links stop working.
      </Text>
      <DialogEnd fault={fault} onCancel={onClose}>
        <Button data-autofocus loading={isBusy} onClick={submit}>
          Create link
        </Button>
      </DialogEnd>
    </Stack>
  );
}

function RenameForm({ user, onClose }: UserDialogProps) {
  const [name, setName] = useState(user.name);
  const [email, setEmail] = useState(user.email ?? '');
  const { onSubmit, isBusy, fault } = useSubmit(async () => {
    await updateUser(user.id, { name: name.trim(), ...(user.email !== null && { email: email.trim() }) });
    notifyDone('The user was changed');
    onClose();
  });
  return (
    <form onSubmit={onSubmit}>
      <Stack gap="md">
        <FaultNote fault={fault} />
        <TextInput
          label="Name"
          value={name}
          maxLength={100}
          autoComplete="off"
          data-autofocus
          onChange={(event) => setName(event.currentTarget.value)}
        />
        {user.email !== null && (
          <TextInput
            label="E-mail address"
            type="email"
            required
            value={email}
            maxLength={254}
            autoComplete="off"
            onChange={(event) => setEmail(event.currentTarget.value)}
          />
        )}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={isBusy}>
            Save
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

interface UserActionDialogProps {
  action: UserAction | null;
  onClose: () => void;
}

/** Asks for the input of an action and performs it. */
export function UserActionDialog({ action, onClose }: UserActionDialogProps) {
  const [link, setLink] = useState<PasswordLinkView | null>(null);
  const close = () => {
    onClose();
    setLink(null);
  };
  return (
    <DialogHost dialog={action} onClose={close}>
      {({ kind, user }) => {
        const dialog = { user, onClose: close };
        const label = userLabel(user);
        switch (kind) {
          case 'rename':
            return { title: `Change ${label}`, content: <RenameForm {...dialog} /> };
          case 'plan':
            return planDialog({ owner: { id: user.id, label, plan: user.plan }, onClose: close });
          case 'limits':
            return { title: `Limits of ${label}`, size: 'lg', content: <Limits {...dialog} /> };
          case 'link':
            if (link) return linkDialog(link, label, close);
            return { title: 'Create a password link?', content: <CreateLink {...dialog} onCreated={setLink} /> };
          case 'role':
            return roleDialog(dialog);
          case 'forget':
            return forgetDialog(dialog);
          case 'disable':
          case 'enable':
            return disableDialog(dialog, kind === 'disable');
        }
      }}
    </DialogHost>
  );
}

function roleDialog({ user, onClose }: UserDialogProps): DialogContent {
  const label = userLabel(user);
  const isPromotion = user.role !== 'admin';
  const what = isPromotion ? 'an admin' : 'a member';
  const change = async () => {
    await updateUser(user.id, { role: isPromotion ? 'admin' : 'member' });
    notifyDone(`${label} is ${what} now`, () => void updateUser(user.id, { role: user.role }));
  };
  return {
    title: `Make ${what}?`,
    content: (
      <Question confirmLabel={`Make ${what}`} onConfirm={change} onClose={onClose}>
        <b>{label}</b>{' '}
        {isPromotion
          ? 'will manage users, plans and upstreams, and see everyone’s usage.'
          : 'will see only their own keys and usage.'}
      </Question>
    ),
  };
}

function disableDialog({ user, onClose }: UserDialogProps, disabled: boolean): DialogContent {
  const verb = disabled ? 'Disable' : 'Enable';
  const change = async () => {
    await updateUser(user.id, { disabled });
    notifyDone(`${userLabel(user)} was ${disabled ? 'disabled' : 'enabled'}`);
  };
  return {
    title: `${verb} ${userLabel(user)}?`,
    content: (
      <Question confirmLabel={verb} isDangerous={disabled} onConfirm={change} onClose={onClose}>
        {disabled
          ? `All sessions of this user end now${keysOf(user.keys)}. Nothing is deleted: you can enable the account again.`
          : 'The user can sign in again, and the keys that have not expired or been revoked work again.'}
      </Question>
    ),
  };
}

function forgetDialog({ user, onClose }: UserDialogProps): DialogContent {
  const forget = async () => {
    const { email } = await forgetUser(user.id);
    notifyDone(`The user is ${email ?? 'a pseudonym'} now`);
  };
  return {
    title: `Forget ${userLabel(user)}?`,
    content: (
      <Question confirmLabel="Forget permanently" isDangerous onConfirm={forget} onClose={onClose}>
        {`A pseudonym replaces e-mail address and name everywhere, also in the audit log. All sessions end now${keysOf(user.keys)}. Usage and costs stay. This cannot be undone.`}
      </Question>
    ),
  };
}

function keysOf(count: number): string {
  if (count === 0) return '';
  return `, and ${count === 1 ? 'the one key stops' : `the ${count} keys stop`} working within a second`;
}
