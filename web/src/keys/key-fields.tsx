import { Group, Input, MultiSelect, Select, Stack, TagsInput, Text, Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { messageOf } from '../api/api-error';
import { modelsQuery, ownLimitsQuery, plansQuery, userLimitsQuery, userQuery } from '../api/lists';
import { projectModelsQuery, projectQuery } from '../api/projects';
import { useSession } from '../api/session';
import { Fold } from '../kit/fold';
import { LimitFields } from '../kit/limit-fields';
import { LIMIT_NAMES, limitTexts } from '../kit/limits';
import { SegmentedControl } from '../kit/segmented-control';
import { formatDate } from '../kit/times';
import { dayFromNow, expiryChoices, expiryOf, type KeyForm, type KeyPolicy } from './key-form';
import type { KeyOwner } from './owner-choice';

interface ExpiryFieldProps {
  policy: KeyPolicy;
  /** The current expiry; adds the choice "keep". */
  current?: string | null;
  choice: string;
  day: string;
  error?: React.ReactNode;
  onChoice: (choice: string) => void;
  onDay: (day: string) => void;
}

/** When a key expires: after some days, on a day, or never, within the policy. */
function ExpiryField({ policy, current, choice, day, error, onChoice, onDay }: ExpiryFieldProps) {
  const keep = current !== undefined ? [{ value: 'keep', label: `Unchanged: ${currentText(current)}` }] : [];
  const isCustom = choice === 'custom';
  const { maxLifetimeDays: max } = policy;
  return (
    <Group gap="xs" align="flex-start" wrap="nowrap" grow={isCustom}>
      <Select
        flex={1}
        label="Expires"
        data={[...keep, ...expiryChoices(policy)]}
        value={choice}
        allowDeselect={false}
        onChange={(value) => value && onChoice(value)}
        description={isCustom ? undefined : descriptionOf(choice)}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        error={isCustom ? undefined : error}
      />
      {isCustom && (
        <TextInput
          type="date"
          label="Last day"
          value={day}
          min={dayFromNow(0)}
          max={max === null ? undefined : dayFromNow(max)}
          onChange={(event) => onDay(event.currentTarget.value)}
          error={error}
          required
        />
      )}
    </Group>
  );
}

function currentText(expiresAt: string | null): string {
  return expiresAt === null ? 'never' : formatDate(new Date(expiresAt));
}

function descriptionOf(choice: string): string | undefined {
  if (choice === 'keep') return undefined;
  if (choice === 'never') return 'Use a key without an expiry only for services that you cannot update regularly.';
  const expiry = expiryOf(choice, '');
  return expiry ? `On ${formatDate(expiry)}` : undefined;
}

interface KeyLimitsFieldsProps {
  form: KeyForm;
  owner: KeyOwner;
}

/** The key's own limits, beside those of its owner for all keys. */
function KeyLimitsFields({ form, owner }: KeyLimitsFieldsProps) {
  const isLimited = Object.values(form.getInitialValues().limits).some((text) => text !== '');
  const hasError = Object.keys(form.errors).some((path) => path.startsWith('limits.'));
  return (
    <Fold label="Limits and budgets" isOpenAtFirst={isLimited} hasError={hasError}>
      <Stack gap="sm" pt="sm">
        <OwnerLimits owner={owner} />
        <LimitFields names={LIMIT_NAMES} inputProps={(name) => form.getInputProps(`limits.${name}`)} />
      </Stack>
    </Fold>
  );
}

function OwnerLimits({ owner: { userId, projectId } }: { owner: KeyOwner }) {
  const isOwn = useSession().user.id === userId;
  const ofUser = useQuery({ ...(isOwn ? ownLimitsQuery : userLimitsQuery(userId)), enabled: projectId === null });
  const ofProject = useQuery({ ...projectQuery(projectId ?? ''), enabled: projectId !== null });
  const values = projectId === null ? ofUser.data?.values : ofProject.data?.limits.values;
  const texts = values ? limitTexts(values) : [];
  const keys = isOwn ? 'All your keys' : `All keys of the ${projectId === null ? 'owner' : 'project'}`;
  const whose = `${keys} together are limited to`;
  return (
    <Text size="sm" c="dimmed">
      For this key only; days and months are in UTC.
      {texts.length > 0 && ` ${whose} ${texts.join(', ')}.`}
    </Text>
  );
}

interface OwnerModels {
  ids: string[];
  isPending: boolean;
  error: Error | null;
}

/** The ids of the models that the owner of a key can use. */
function useOwnerModels({ userId, projectId }: KeyOwner): OwnerModels {
  const { data, isPending, error } = useQuery({ ...projectModelsQuery(projectId ?? ''), enabled: projectId !== null });
  const ofUser = useUserModels(userId, projectId === null);
  if (projectId === null) return ofUser;
  const ids = data?.filter(({ callable }) => callable).map(({ id }) => id) ?? [];
  return { ids, isPending, error };
}

/** The person's own, or those of another user's plan. */
function useUserModels(ownerId: string, isRequired: boolean): OwnerModels {
  const { user } = useSession();
  const isOther = isRequired && ownerId !== user.id;
  const models = useQuery(modelsQuery);
  const owner = useQuery({ ...userQuery(ownerId), enabled: isOther });
  const plans = useQuery({ ...plansQuery, enabled: isOther });
  const used = isOther ? [models, owner, plans] : [models];
  const planId = owner.data?.plan.id;
  const plan = plans.data?.plans.find(({ id }) => id === planId);
  const callable = models.data?.filter((model) =>
    isOther
      ? model.reason !== 'no_credential' && (plan?.tiers.includes(model.tier) || plan?.namedModels.includes(model.id))
      : model.callable,
  );
  return {
    ids: callable?.map(({ id }) => id) ?? [],
    isPending: used.some((query) => query.isPending),
    error: used.find((query) => query.error)?.error ?? null,
  };
}

interface ModelsFieldProps {
  owner: KeyOwner;
  /** Null: all that the owner can use. */
  value: string[] | null;
  onChange: (models: string[] | null) => void;
  error?: React.ReactNode;
}

/** The models that a key can use: all that its owner can, or some. */
function ModelsField({ owner, value, onChange, error }: ModelsFieldProps) {
  const { ids, error: failure, isPending } = useOwnerModels(owner);
  const id = useId();
  const isOwn = useSession().user.id === owner.userId;
  const who = isOwn ? 'you' : owner.projectId === null ? 'the owner' : 'the project';
  return (
    <Stack gap={6}>
      <Input.Label id={id}>Models</Input.Label>
      <SegmentedControl
        aria-labelledby={id}
        value={value === null ? 'all' : 'some'}
        onChange={(choice) => onChange(choice === 'all' ? null : [])}
        data={[
          { value: 'all', label: `All models that ${who} can call` },
          { value: 'some', label: 'Only some' },
        ]}
      />
      {value !== null && (
        <MultiSelect
          aria-label="Models that the key can call"
          placeholder={value.length === 0 ? 'Pick models' : undefined}
          data={[...new Set([...ids, ...value])]}
          value={value}
          onChange={onChange}
          searchable
          clearable
          hidePickedOptions
          nothingFoundMessage={isPending ? 'Loading…' : 'No such model'}
          error={error ?? (failure ? messageOf(failure) : undefined)}
          comboboxProps={{ withinPortal: true }}
        />
      )}
    </Stack>
  );
}

interface KeyFieldsProps {
  form: KeyForm;
  owner: KeyOwner;
  /** Set for an existing key. */
  currentExpiry?: string | null;
}

/** The fields of a new or existing key. */
export function KeyFields({ form, owner, currentExpiry }: KeyFieldsProps) {
  const { keyPolicy } = useSession();
  const { expiry, day, models } = form.values;
  return (
    <Stack gap="md">
      <TextInput
        label="Name"
        description="What uses it: a machine, an application, a person."
        maxLength={100}
        required
        data-autofocus
        autoComplete="off"
        {...form.getInputProps('name')}
        onFocus={(event) => event.currentTarget.select()}
      />
      <ExpiryField
        policy={keyPolicy}
        current={currentExpiry}
        choice={expiry}
        day={day}
        onChoice={(choice) => form.setFieldValue('expiry', choice)}
        onDay={(value) => form.setFieldValue('day', value)}
        error={form.errors.expiry ?? form.errors.day}
      />
      <ModelsField
        owner={owner}
        value={models}
        onChange={(value) => form.setFieldValue('models', value)}
        error={form.errors.models}
      />
      <KeyLimitsFields form={form} owner={owner} />
      <Advanced form={form} />
    </Stack>
  );
}

function Advanced({ form }: { form: KeyForm }) {
  const { addresses, note } = form.getInitialValues();
  return (
    <Fold
      label="Allowed addresses and a note"
      isOpenAtFirst={addresses.length > 0 || note !== ''}
      hasError={form.errors.addresses !== undefined || form.errors.note !== undefined}
    >
      <Stack gap="md" pt="sm">
        <TagsInput
          label="Allowed addresses"
          description="The key works only from these addresses, for example 203.0.113.7 or 10.0.0.0/8. Leave empty to allow any address."
          placeholder={form.values.addresses.length === 0 ? 'Type an address and press Enter' : undefined}
          splitChars={[',', ' ']}
          acceptValueOnBlur
          {...form.getInputProps('addresses')}
        />
        <Textarea label="Note" autosize minRows={2} maxRows={5} maxLength={500} {...form.getInputProps('note')} />
      </Stack>
    </Fold>
  );
}
