import { Button, List, Progress, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { messageOf } from '../../api/api-error';
import { api, unwrap } from '../../api/client';
import { plansQuery } from '../../api/lists';
import { useSession } from '../../api/session';
import { type DialogContent, DialogEnd, DialogHost } from '../../kit/dialog';
import { LimitFields } from '../../kit/limit-fields';
import { LIMIT_NAMES, NO_LIMIT_TEXTS, toLimitInput, validateLimits } from '../../kit/limits';
import { notifyDone } from '../../kit/notify';
import { plural } from '../../kit/numbers';
import { type GrantChoice, PlanFields } from '../../kit/plan-dialog';
import { QueryStates } from '../../kit/states';
import { endOf, localDay } from '../../kit/times';
import { userLabel } from '../../kit/words';
import { changed, type UserView } from './user-actions';

type BulkKind = 'plan' | 'limits' | 'disable' | 'enable';

const LABELS: Readonly<Record<BulkKind, string>> = {
  plan: 'Set plan',
  limits: 'Set limits',
  disable: 'Disable',
  enable: 'Enable',
};

const SHOWN = 6;

/** Whom an action can be applied to. Nobody can disable their own account. */
function concerned(kind: BulkKind, users: readonly UserView[], ownId: string): UserView[] {
  return users.filter(({ id, status, project }) => {
    if (status === 'forgotten') return false;
    if (kind === 'plan') return project === null;
    if (kind === 'limits') return true;
    return kind === 'enable' ? status === 'disabled' : status !== 'disabled' && id !== ownId;
  });
}

interface BulkUsersProps {
  /** The ticked users. */
  users: readonly UserView[];
  clear: () => void;
}

/** Actions for several users; they leave out those to whom they do not apply. */
export function BulkUsers({ users, clear }: BulkUsersProps) {
  const { user } = useSession();
  const [action, setAction] = useState<BulkAction | null>(null);
  const close = () => setAction(null);
  const offered = (['plan', 'limits', 'disable', 'enable'] as const).filter(
    (one) => concerned(one, users, user.id).length > 0,
  );
  return (
    <>
      {offered.map((one) => (
        <Button
          key={one}
          size="compact-sm"
          variant={one === 'disable' ? 'light' : 'default'}
          color={one === 'disable' ? 'red' : undefined}
          onClick={() => setAction({ kind: one, users: concerned(one, users, user.id), chosen: users.length })}
        >
          {LABELS[one]}
        </Button>
      ))}
      <DialogHost dialog={action} onClose={close}>
        {(shown) => bulkDialog(shown, close, clear)}
      </DialogHost>
    </>
  );
}

interface Chosen {
  /** To whom the action applies, when it was chosen. */
  users: readonly UserView[];
  /** The number of all ticked ones. */
  chosen: number;
}

interface BulkAction extends Chosen {
  kind: BulkKind;
}

function bulkDialog({ kind, ...chosen }: BulkAction, onClose: () => void, clear: () => void): DialogContent {
  const props = { ...chosen, onClose, onDone: clear };
  const whom = plural(chosen.users.length, 'user');
  switch (kind) {
    case 'plan':
      return { title: `Set the plan of ${whom}`, content: <PlanForAll {...props} /> };
    case 'limits':
      return { title: `Set the limits of ${whom}`, size: 'lg', content: <LimitsForAll {...props} /> };
    case 'disable':
    case 'enable':
      return { title: `${LABELS[kind]} ${whom}?`, content: <SwitchAll {...props} disabled={kind === 'disable'} /> };
  }
}

interface ForAllProps extends Chosen {
  onClose: () => void;
  onDone: () => void;
}

interface RunProps extends ForAllProps {
  label: string;
  isDangerous?: boolean;
  isReady?: boolean;
  /** The message afterwards; `whom`: "12 users". */
  result: (whom: string) => string;
  change: (user: UserView) => Promise<unknown>;
  children: ReactNode;
}

/** Says to whom the change applies, makes it for one after the other, and names those for whom it was refused. */
function ForAll({
  users,
  chosen,
  onClose,
  onDone,
  label,
  isDangerous,
  isReady = true,
  result,
  change,
  children,
}: RunProps) {
  const [done, setDone] = useState<number | null>(null);
  const [faults, setFaults] = useState<string[] | null>(null);
  const rest = users.length - SHOWN;
  const run = async () => {
    const refused: string[] = [];
    for (const [at, user] of users.entries()) {
      setDone(at);
      await change(user).catch((error: unknown) => refused.push(`${userLabel(user)}: ${messageOf(error)}`));
    }
    setDone(users.length);
    await changed(Promise.resolve());
    if (users.length > refused.length) notifyDone(result(plural(users.length - refused.length, 'user')));
    if (refused.length > 0) return setFaults(refused);
    onClose();
    onDone();
  };
  if (faults) {
    return (
      <Stack gap="md">
        <Text size="sm" role="alert">
          {plural(users.length - faults.length, 'user was', 'users were')} changed, {faults.length} could not be
          changed:
        </Text>
        <List size="sm">
          {faults.map((fault) => (
            <List.Item key={fault}>{fault}</List.Item>
          ))}
        </List>
        <DialogEnd fault={null} onCancel={onClose} cancelLabel="Close">
          {null}
        </DialogEnd>
      </Stack>
    );
  }
  return (
    <Stack gap="md">
      {children}
      <div>
        <Text size="sm" fw={500}>
          {plural(users.length, 'user')}
          {chosen > users.length && ` of ${chosen} selected; it does not apply to the others`}
        </Text>
        <List size="sm">
          {users.slice(0, SHOWN).map((user) => (
            <List.Item key={user.id}>{userLabel(user)}</List.Item>
          ))}
          {rest > 0 && <List.Item>and {rest} more</List.Item>}
        </List>
      </div>
      {done !== null && (
        <Stack gap={4} role="status">
          <Progress value={(100 * done) / users.length} aria-label="Progress" />
          <Text size="xs" c="dimmed">
            {done} of {users.length} done
          </Text>
        </Stack>
      )}
      <DialogEnd fault={null} onCancel={onClose} isCancelFirst={isDangerous === true}>
        <Button
          color={isDangerous ? 'red.8' : undefined}
          disabled={!isReady || users.length === 0}
          loading={done !== null}
          onClick={run}
        >
          {label}
        </Button>
      </DialogEnd>
    </Stack>
  );
}

function PlanForAll(props: ForAllProps) {
  const plans = useQuery(plansQuery);
  const [value, setValue] = useState<GrantChoice>({ planId: '', end: 'never', day: localDay(new Date()) });
  return (
    <QueryStates query={plans}>
      {({ plans: all }) => {
        const chosen = all.find(({ id }) => id === value.planId);
        const offered = all
          .filter(({ isRetired }) => !isRetired)
          .map(({ id, name, isDefault }) => ({ value: id, label: isDefault ? `${name} (ends granted plans)` : name }));
        const change = async ({ id }: UserView) => {
          const params = { path: { id } };
          if (chosen?.isDefault) return unwrap(api.DELETE('/api/users/{id}/plan', { params }));
          const body = { planId: value.planId, until: endOf(value.end, value.day) };
          return unwrap(api.POST('/api/users/{id}/plan', { params, body }));
        };
        return (
          <ForAll
            {...props}
            label={`Set plan of ${plural(props.users.length, 'user')}`}
            isReady={chosen !== undefined}
            result={(whom) => `The plan of ${whom} is now ${chosen?.name}`}
            change={change}
          >
            <PlanFields plans={offered} value={value} onChange={setValue} />
          </ForAll>
        );
      }}
    </QueryStates>
  );
}

function LimitsForAll(props: ForAllProps) {
  const form = useForm({ initialValues: NO_LIMIT_TEXTS, validate: validateLimits });
  const change = ({ id }: UserView) => {
    const body = toLimitInput(form.values);
    return unwrap(api.PATCH('/api/users/{id}/limits', { params: { path: { id } }, body }));
  };
  return (
    <ForAll
      {...props}
      label={`Set limits of ${plural(props.users.length, 'user')}`}
      isReady={form.isDirty() && form.isValid()}
      result={(whom) => `The limits of ${whom} are set`}
      change={change}
    >
      <Text size="sm" c="dimmed">
        For each user, over all keys of the user; days and months are in UTC. Empty fields do not change.
      </Text>
      <LimitFields names={LIMIT_NAMES} inputProps={(name) => form.getInputProps(name)} inherited={() => 'Unchanged'} />
    </ForAll>
  );
}

function SwitchAll({ disabled, ...props }: ForAllProps & { disabled: boolean }) {
  const verb = disabled ? 'Disable' : 'Enable';
  const change = ({ id }: UserView) =>
    unwrap(api.PATCH('/api/users/{id}', { params: { path: { id } }, body: { disabled } }));
  return (
    <ForAll
      {...props}
      label={`${verb} ${plural(props.users.length, 'user')}`}
      isDangerous={disabled}
      result={(whom) => `${verb}d ${whom}`}
      change={change}
    >
      <Text size="sm">
        {disabled
          ? 'Their sessions end now, and their keys stop working within a second. Nothing is deleted: you can enable them again.'
          : 'They can sign in again, and their keys that have not expired or been revoked work again.'}
      </Text>
    </ForAll>
  );
}
