import { Button, Input, Select, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { messageOf } from '../../api/api-error';
import { api, unwrap } from '../../api/client';
import { foundUsersQuery } from '../../api/lists';
import { queryClient } from '../../api/query-client';
import { mayAll, useSession } from '../../api/session';
import { DialogEnd, DialogHost } from '../../kit/dialog';
import { LimitFields } from '../../kit/limit-fields';
import {
  BUDGET_NAMES,
  inheritedText,
  type LimitName,
  type LimitTexts,
  limitOfError,
  limitText,
  toLimitInput,
  toLimitTexts,
  toOwnLimitInput,
  toOwnLimitTexts,
  validateLimits,
} from '../../kit/limits';
import { notifyDone } from '../../kit/notify';
import { SegmentedControl } from '../../kit/segmented-control';
import { QueryStates } from '../../kit/states';
import { useSubmit } from '../../kit/use-submit';
import { userLabel } from '../../kit/words';

const KIND_LABELS = { project: 'Project', user: 'User', key: 'Key' } as const;

type OwnerKind = keyof typeof KIND_LABELS;

/** Whose budget is set. */
export interface BudgetOwner {
  kind: OwnerKind;
  id: string;
  label: string;
}

/** The present budgets as typed, and how they are set. */
interface Present {
  texts: LimitTexts;
  inherited: (name: LimitName) => string | null;
  /** Below a field: what an administrator set as the maximum. */
  bound: (name: LimitName) => string | undefined;
  save: (texts: LimitTexts) => Promise<unknown>;
}

/** Not cached: someone else may have changed them. */
function presentQuery({ kind, id }: BudgetOwner, isAdmin: boolean) {
  return queryOptions({
    queryKey: ['budgets', 'set', kind, id],
    gcTime: 0,
    queryFn: ({ signal }): Promise<Present> => readers[kind](id, signal, isAdmin),
  });
}

const none = () => null;

const readers: Readonly<Record<OwnerKind, (id: string, signal: AbortSignal, isAdmin: boolean) => Promise<Present>>> = {
  async user(id, signal) {
    const params = { path: { id } };
    const limits = await unwrap(api.GET('/api/users/{id}/limits', { params, signal }));
    return {
      texts: toOwnLimitTexts(limits.own),
      inherited: (name) => inheritedText(name, limits),
      bound: () => undefined,
      save: (texts) =>
        unwrap(api.PATCH('/api/users/{id}/limits', { params, body: toOwnLimitInput(texts, limits.own) })),
    };
  },
  async project(id, signal, isAdmin) {
    const params = { path: { id } };
    const { values, bounds } = await unwrap(api.GET('/api/projects/{id}/limits', { params, signal }));
    const texts = toLimitTexts(values);
    return {
      texts,
      inherited: none,
      bound: (name) => {
        const bound = bounds[name];
        return bound === null || isAdmin ? undefined : `At most ${limitText(name, bound)}`;
      },
      save: (input) => unwrap(api.PUT('/api/projects/{id}/limits', { params, body: toLimitInput(input, texts) })),
    };
  },
  async key(id, signal) {
    const params = { path: { id } };
    const { limits } = await unwrap(api.GET('/api/keys/{id}', { params, signal }));
    const texts = toLimitTexts(limits);
    return {
      texts,
      inherited: none,
      bound: () => undefined,
      save: (input) => unwrap(api.PATCH('/api/keys/{id}', { params, body: { limits: toLimitInput(input, texts) } })),
    };
  },
};

const CHANGED = ['budgets', 'limits', 'keys', 'key', 'projects', 'users', 'overview', 'audit'];

interface BudgetFormProps {
  owner: BudgetOwner;
  present: Present;
  /** What to add to the message that it is saved. */
  hint?: string;
  onClose: () => void;
}

function BudgetForm({ owner, present, hint = '', onClose }: BudgetFormProps) {
  const form = useForm({ initialValues: present.texts, validate: validateLimits });
  const { submit, isBusy, fault } = useSubmit(
    async () => {
      await present.save(form.values);
      notifyDone(`The budget of ${owner.label} is saved${hint}`);
      onClose();
      await Promise.all(CHANGED.map((key) => queryClient.invalidateQueries({ queryKey: [key] })));
    },
    (error) => {
      const name = limitOfError(error);
      if (!name) return messageOf(error);
      form.setFieldError(name, messageOf(error));
      return null;
    },
  );
  return (
    <form onSubmit={form.onSubmit(submit)} noValidate>
      <Stack gap="md">
        <LimitFields
          names={BUDGET_NAMES}
          inputProps={(name) => ({
            ...form.getInputProps(name),
            description: present.bound(name),
            ...(name === BUDGET_NAMES[0] && { 'data-autofocus': true }),
          })}
          inherited={present.inherited}
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

/** The budgets of an owner, who can change while the dialog is open. */
function BudgetsOf({ owner, ...props }: Omit<BudgetFormProps, 'present'>) {
  const isAdmin = mayAll(useSession(), 'limits.write');
  const query = useQuery(presentQuery(owner, isAdmin));
  return (
    <QueryStates query={query}>{(present) => <BudgetForm owner={owner} present={present} {...props} />}</QueryStates>
  );
}

const LISTED_LATER = '. It is listed as soon as something is spent.';
const TYPING_MS = 200;
const OFFERED = 50;

interface Offered {
  value: string;
  label: string;
}

/** The first owners that match a text. */
function ownersQuery(kind: OwnerKind, q: string, isAdmin: boolean) {
  const query = { q, limit: OFFERED } as const;
  return queryOptions({
    queryKey: ['budgets', 'owners', kind, q],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }): Promise<Offered[]> => {
      if (kind === 'key') {
        const scopes = isAdmin ? (['all'] as const) : (['mine', 'projects'] as const);
        const lists = scopes.map((scope) =>
          unwrap(api.GET('/api/keys', { params: { query: { ...query, scope, status: 'current' } }, signal })),
        );
        const keys = (await Promise.all(lists)).flatMap(({ items }) => items);
        return keys.map(({ id, name, display, owner, project }) => ({
          value: id,
          label: `${name} (${display})${isAdmin || project ? ` of ${project?.name ?? userLabel(owner)}` : ''}`,
        }));
      }
      if (kind === 'project') {
        const scope = isAdmin ? 'all' : 'mine';
        const { items } = await unwrap(api.GET('/api/projects', { params: { query: { ...query, scope } }, signal }));
        return items.filter(({ canManage }) => canManage).map(({ id, name }) => ({ value: id, label: name }));
      }
      const users = await queryClient.fetchQuery(foundUsersQuery({ q, status: ['active', 'invited'], limit: OFFERED }));
      return users.map((user) => ({ value: user.id, label: userLabel(user) }));
    },
  });
}

/** Chooses a project, a user or a key, then its budgets. */
function ChosenBudget({ onClose }: { onClose: () => void }) {
  const session = useSession();
  const { projectRole } = session;
  const isAdmin = mayAll(session, 'limits.write');
  const kinds: OwnerKind[] = isAdmin
    ? ['project', 'user', 'key']
    : projectRole === 'manager'
      ? ['project', 'key']
      : ['key'];
  const [kind, setKind] = useState<OwnerKind>(kinds[0] ?? 'key');
  const [owner, setOwner] = useState<BudgetOwner | null>(null);
  const [typed, setTyped] = useState('');
  // A field that shows the choice does not search for it.
  const [q] = useDebouncedValue(typed === owner?.label ? '' : typed.trim(), TYPING_MS);
  const { data = [], error } = useQuery(ownersQuery(kind, q, isAdmin));
  const id = useId();
  const first = owner ? [{ value: owner.id, label: owner.label }] : [];
  const others = data.filter(({ value }) => value !== owner?.id);
  return (
    <Stack gap="md">
      {kinds.length > 1 && (
        <Stack gap={6}>
          <Input.Label id={id}>Budget of a</Input.Label>
          <SegmentedControl<OwnerKind>
            aria-labelledby={id}
            value={kind}
            onChange={(next) => {
              setKind(next);
              setOwner(null);
              setTyped('');
            }}
            data={kinds.map((value) => ({ value, label: KIND_LABELS[value] }))}
          />
        </Stack>
      )}
      <Select
        key={kind}
        label={KIND_LABELS[kind]}
        placeholder="Search by name"
        data={[...first, ...others]}
        value={owner?.id ?? null}
        onChange={(value, option) => value && setOwner({ kind, id: value, label: option?.label ?? value })}
        filter={({ options }) => options}
        searchable
        onSearchChange={setTyped}
        nothingFoundMessage="Nothing matches"
        error={error ? messageOf(error) : undefined}
        data-autofocus
        allowDeselect={false}
      />
      {owner ? (
        <BudgetsOf key={owner.id} owner={owner} hint={LISTED_LATER} onClose={onClose} />
      ) : (
        <DialogEnd fault={null} onCancel={onClose}>
          {null}
        </DialogEnd>
      )}
    </Stack>
  );
}

interface BudgetDialogProps {
  /** Whose budget is set: of a row, or chosen in the dialog. Null closes it. */
  owner: BudgetOwner | 'choose' | null;
  onClose: () => void;
}

/** Sets budgets of a key, user or project. */
export function BudgetDialog({ owner, onClose }: BudgetDialogProps) {
  return (
    <DialogHost dialog={owner} onClose={onClose}>
      {(shown) => ({
        title: shown === 'choose' ? 'Set a budget' : `Budget of ${shown.label}`,
        size: 'lg',
        closeOnClickOutside: false,
        content: (
          <Stack gap="md">
            <Text size="sm" c="dimmed">
              For all its calls together, in US dollars; days and months are in UTC. Changes take effect within a
              second.
            </Text>
            {shown === 'choose' ? <ChosenBudget onClose={onClose} /> : <BudgetsOf owner={shown} onClose={onClose} />}
          </Stack>
        ),
      })}
    </DialogHost>
  );
}
