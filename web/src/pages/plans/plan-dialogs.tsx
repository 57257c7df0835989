import Users from 'icon:users';
import {
  Alert,
  Button,
  Checkbox,
  Group,
  MultiSelect,
  Select,
  type SelectProps,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { ApiError, messageOf } from '../../api/api-error';
import { modelsQuery } from '../../api/lists';
import { type DialogContent, DialogEnd, DialogHost, Question } from '../../kit/dialog';
import { Fold } from '../../kit/fold';
import { guardsDialog } from '../../kit/guards-form';
import { LimitFields } from '../../kit/limit-fields';
import {
  LIMIT_NAMES,
  type LimitTexts,
  NO_LIMIT_TEXTS,
  toLimitInput,
  toLimitTexts,
  validateLimits,
} from '../../kit/limits';
import { notifyDone } from '../../kit/notify';
import { plural } from '../../kit/numbers';
import { ENDS, endOf, type GrantEnd, localDay } from '../../kit/times';
import { useSubmit } from '../../kit/use-submit';
import { useUserSearch } from '../../kit/use-user-search';
import { userLabel } from '../../kit/words';
import {
  changeText,
  createPlan,
  endPlan,
  grantPlan,
  type NewPlan,
  type PlanChange,
  type PlanHolder,
  type PlanView,
  type TierView,
  updatePlan,
} from './plan-words';
import classes from './plans.module.css';

/** The values of the plan form. */
export interface PlanFormValues {
  id: string;
  name: string;
  tiers: string[];
  namedModels: string[];
  /** Empty: above all other plans. */
  rank: string;
  limits: LimitTexts;
}

/** `plan`: null for a new one. */
function usePlanForm(plan: PlanView | null) {
  return useForm<PlanFormValues>({
    initialValues: toValues(plan),
    validate: {
      id: (id) => (plan || /^[a-z0-9][a-z0-9_-]{0,39}$/.test(id) ? null : 'Use a-z, 0-9, - and _, such as team-a'),
      name: (name) => (name.trim() === '' ? 'Enter a name' : null),
      tiers: (tiers, { namedModels }) =>
        tiers.length + namedModels.length === 0 ? 'Choose at least one tier or model' : null,
      rank: (rank) => (rank === '' || /^\d{1,7}$/.test(rank) ? null : 'Enter a whole number'),
      limits: validateLimits,
    },
  });
}

type PlanForm = ReturnType<typeof usePlanForm>;

function toValues(plan: PlanView | null): PlanFormValues {
  if (!plan) return { id: '', name: '', tiers: [], namedModels: [], rank: '', limits: NO_LIMIT_TEXTS };
  const { id, name, tiers, namedModels, rank, limits } = plan;
  return { id, name, tiers, namedModels, rank: String(rank), limits: limits ? toLimitTexts(limits) : NO_LIMIT_TEXTS };
}

/** The request for a new plan. */
function toNewPlan({ id, rank, limits, ...values }: PlanFormValues): NewPlan {
  return { ...values, id, limits: toLimitInput(limits), ...(rank !== '' && { rank: Number(rank) }) };
}

/** The request for an existing plan: the changed values. */
function toPlanChange(values: PlanFormValues, plan: PlanView): PlanChange {
  const before = toValues(plan);
  const { name, tiers, namedModels, rank } = values;
  return {
    ...{ name, tiers, namedModels, limits: toLimitInput(values.limits, before.limits) },
    ...(rank !== '' && rank !== before.rank && { rank: Number(rank) }),
  };
}

const LIMITS = LIMIT_NAMES.filter((name) => name !== 'budgetTotalUsd');

interface PlanFieldsProps {
  form: PlanForm;
  /** Null for a new plan. */
  plan: PlanView | null;
  tiers: readonly TierView[];
}

function PlanFields({ form, plan, tiers }: PlanFieldsProps) {
  const { data: models = [] } = useQuery(modelsQuery);
  const named = form.getInitialValues().namedModels;
  return (
    <>
      {!plan && (
        <TextInput
          label="Id"
          description="Used by the command line and single sign-on; it cannot be changed later"
          maxLength={40}
          autoComplete="off"
          data-autofocus
          required
          {...form.getInputProps('id')}
        />
      )}
      <TextInput label="Name" maxLength={40} data-autofocus={plan !== null} required {...form.getInputProps('name')} />
      <Checkbox.Group label="Tiers" description="Models of these tiers can be called" {...form.getInputProps('tiers')}>
        <Stack gap="xs" mt="xs">
          {tiers.map(({ id, models: count }) => (
            <Checkbox key={id} value={id} className={classes.choice} label={id} description={plural(count, 'model')} />
          ))}
        </Stack>
      </Checkbox.Group>
      <MultiSelect
        label="Additional models"
        description="Also included, whatever their tier"
        placeholder={form.values.namedModels.length === 0 ? 'None' : undefined}
        data={[...new Set([...models.map(({ id }) => id), ...named])]}
        searchable
        hidePickedOptions
        nothingFoundMessage="No such model"
        {...form.getInputProps('namedModels')}
      />
      <Fold
        label="Limits and budgets of each user"
        isOpenAtFirst={Object.values(form.getInitialValues().limits).some((text) => text !== '')}
        hasError={Object.keys(form.errors).some((path) => path.startsWith('limits.'))}
      >
        <Stack gap="sm" pt="sm">
          <LimitFields names={LIMITS} inputProps={(name) => form.getInputProps(`limits.${name}`)} />
        </Stack>
      </Fold>
      {!plan?.isDefault && (
        <TextInput
          label="Rank"
          description="If a user has several plans, the one with the highest rank applies"
          placeholder="Above all other plans"
          inputMode="numeric"
          maxLength={7}
          autoComplete="off"
          {...form.getInputProps('rank')}
        />
      )}
    </>
  );
}

interface EditPlanProps {
  /** Null for a new one. */
  plan: PlanView | null;
  tiers: readonly TierView[];
  onClose: () => void;
}

function EditPlan({ plan, tiers, onClose }: EditPlanProps) {
  const choices = plan ? [...tiers, ...missingTiers(plan, tiers)] : tiers;
  const form = usePlanForm(plan);
  const { submit, isBusy, fault } = useSubmit(
    async () => {
      const { tiers: chosen, ...values } = form.values;
      const input = { ...values, tiers: choices.map(({ id }) => id).filter((id) => chosen.includes(id)) };
      await (plan ? updatePlan(plan.id, toPlanChange(input, plan)) : createPlan(toNewPlan(input)));
      notifyDone(`Plan ${values.name.trim()} is saved`);
      onClose();
    },
    (error) => showAtField(form, error),
  );
  return (
    <form onSubmit={form.onSubmit(submit)} noValidate>
      <Stack gap="md">
        <PlanFields form={form} plan={plan} tiers={choices} />
        {plan && (
          <Alert icon={<Users size={17} aria-hidden="true" />} color="gray" p="sm" role="status">
            <Text size="sm">{changeText(plan, form.values.tiers, tiers)}</Text>
          </Alert>
        )}
        <DialogEnd fault={fault} onCancel={onClose}>
          <Button type="submit" loading={isBusy} disabled={!form.isDirty()}>
            {plan ? 'Save' : 'Create plan'}
          </Button>
        </DialogEnd>
      </Stack>
    </form>
  );
}

/** Shown at the field that the error names; other errors are returned, to be shown for the whole form. */
function showAtField(form: PlanForm, error: unknown): string | null {
  const field = error instanceof ApiError ? error.param : null;
  if (field === null || !(field in form.values || field.startsWith('limits.'))) return messageOf(error);
  form.setFieldError(field, messageOf(error));
  return null;
}

/** Tiers that no model of the catalog has now. */
function missingTiers(plan: PlanView, tiers: readonly TierView[]): TierView[] {
  const known = new Set(tiers.map(({ id }) => id));
  return plan.tiers.filter((id) => !known.has(id)).map((id) => ({ id, models: 0 }));
}

interface GrantPlanProps {
  plan: PlanView;
  /** Only the end of their plan can be changed. Null: any user can be chosen. */
  holder: PlanHolder | null;
  onClose: () => void;
}

function GrantPlan({ plan, holder, onClose }: GrantPlanProps) {
  const form = useForm<{ userId: string; end: GrantEnd; day: string }>({
    initialValues: {
      userId: holder?.userId ?? '',
      end: holder?.until ? 'day' : 'never',
      day: localDay(holder?.until ? new Date(holder.until) : new Date()),
    },
    validate: {
      userId: (id) => (id === '' ? 'Choose a user' : null),
      day: (day, { end }) =>
        end === 'day' && !(Date.parse(endOf(end, day) ?? '') > Date.now()) ? 'Choose a date in the future' : null,
    },
  });
  const { submit, isBusy, fault } = useSubmit(async () => {
    const { userId, end, day } = form.values;
    await grantPlan(userId, plan.id, endOf(end, day));
    notifyDone(holder ? `The new end date is saved` : `The user now has ${plan.name}`);
    onClose();
  });
  return (
    <form onSubmit={form.onSubmit(submit)} noValidate>
      <Stack gap="md">
        {holder ? (
          <TextInput label="User" value={userLabel(holder)} readOnly />
        ) : (
          <UserField plan={plan} {...form.getInputProps('userId')} />
        )}
        <Group grow align="flex-start" gap="xs">
          <Select label="Ends" data={[...ENDS]} allowDeselect={false} {...form.getInputProps('end')} />
          {form.values.end === 'day' && (
            <TextInput
              type="date"
              label="Last day"
              min={localDay(new Date())}
              required
              {...form.getInputProps('day')}
            />
          )}
        </Group>
        <DialogEnd fault={fault} onCancel={onClose}>
          <Button type="submit" loading={isBusy}>
            {holder ? 'Save' : `Grant ${plan.name}`}
          </Button>
        </DialogEnd>
      </Stack>
    </form>
  );
}

function UserField({ plan, error, ...input }: SelectProps & { plan: PlanView }) {
  const { error: fault, ...users } = useUserSearch(
    ({ email, name, plan: { id, name: planName } }) =>
      `${email ?? name}${email && name ? ` (${name})` : ''}${id === plan.id ? ` – has ${planName}` : ''}`,
  );
  return (
    <Select
      label="User"
      placeholder="Search by e-mail or name"
      searchable
      data-autofocus
      required
      {...users}
      {...input}
      error={error ?? fault}
    />
  );
}

/** The content of the page's dialog. */
export type PlanDialog =
  | { kind: 'edit'; plan: PlanView | null }
  | { kind: 'grant'; plan: PlanView; holder: PlanHolder | null }
  | { kind: 'guards'; plan: PlanView }
  | { kind: 'retire'; plan: PlanView }
  | { kind: 'end'; holder: PlanHolder };

interface PlanDialogsProps {
  dialog: PlanDialog | null;
  tiers: readonly TierView[];
  onClose: () => void;
}

export function PlanDialogs({ dialog, tiers, onClose }: PlanDialogsProps) {
  return (
    <DialogHost dialog={dialog} onClose={onClose}>
      {(shown) => {
        switch (shown.kind) {
          case 'edit': {
            const title = shown.plan ? `Edit plan ${shown.plan.name}` : 'New plan';
            return { title, content: <EditPlan plan={shown.plan} tiers={tiers} onClose={onClose} /> };
          }
          case 'grant': {
            const { plan, holder } = shown;
            const title = holder ? `Change the end of ${plan.name}` : `Grant ${plan.name} to a user`;
            return { title, content: <GrantPlan plan={plan} holder={holder} onClose={onClose} /> };
          }
          case 'guards':
            return guardsDialog({ kind: 'plan', id: shown.plan.id, name: shown.plan.name, onClose });
          case 'retire':
            return retireDialog(shown.plan, onClose);
          case 'end':
            return endDialog(shown.holder, onClose);
        }
      }}
    </DialogHost>
  );
}

function endDialog(holder: PlanHolder, onClose: () => void): DialogContent {
  const end = async () => {
    await endPlan(holder.userId);
    notifyDone(`The plan of ${userLabel(holder)} has ended`);
  };
  return {
    title: 'End the plan now?',
    content: (
      <Question confirmLabel="End plan" isDangerous onConfirm={end} onClose={onClose}>
        <strong>{userLabel(holder)}</strong> is back on the default plan within a second; the keys keep working for its
        models. Scheduled grants end, too.
      </Question>
    ),
  };
}

/** Retires a plan for new users, or reinstates it. */
function retireDialog({ id, name, isRetired }: PlanView, onClose: () => void): DialogContent {
  const change = async () => {
    await updatePlan(id, { retired: !isRetired });
    notifyDone(isRetired ? `Plan ${name} was reinstated` : `Plan ${name} is retired`);
  };
  return {
    title: isRetired ? `Reinstate plan ${name}?` : `Retire plan ${name}?`,
    content: (
      <Question confirmLabel={isRetired ? 'Reinstate' : 'Retire'} onConfirm={change} onClose={onClose}>
        {isRetired
          ? 'It can be granted to users again.'
          : 'New users cannot get it. Existing users keep it until it ends or you end it.'}
      </Question>
    ),
  };
}
