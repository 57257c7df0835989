import { Button, MultiSelect, Select, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError, messageOf } from '../../api/api-error';
import { foundUsersQuery, plansQuery } from '../../api/lists';
import { DialogEnd, DialogHost } from '../../kit/dialog';
import { LimitFields } from '../../kit/limit-fields';
import {
  BUDGET_NAMES,
  type LimitTexts,
  limitOfError,
  NO_LIMIT_TEXTS,
  toLimitInput,
  validateLimits,
} from '../../kit/limits';
import { notifyDone } from '../../kit/notify';
import { useSubmit } from '../../kit/use-submit';
import { createProject } from './project-columns';

interface CreateProjectProps {
  onCreated: (id: string) => void;
  onClose: () => void;
}

interface ProjectForm {
  name: string;
  managers: string[];
  planId: string;
  limits: LimitTexts;
}

/** A project with its managers, plan and budget: all of it is created, or nothing. */
function CreateProjectForm({ onCreated, onClose }: CreateProjectProps) {
  const { data: { plans } = { plans: [] } } = useQuery(plansQuery);
  const form = useForm<ProjectForm>({
    initialValues: { name: '', managers: [], planId: '', limits: NO_LIMIT_TEXTS },
    validate: { name: (name) => (name.trim() === '' ? 'Enter a name' : null), limits: validateLimits },
  });
  const { submit, isBusy, fault } = useSubmit(
    async () => {
      const { name, managers, planId, limits } = form.values;
      const budgets = toLimitInput(limits);
      const { id } = await createProject({
        name: name.trim(),
        managers,
        ...(planId !== '' && { planId }),
        ...(Object.keys(budgets).length > 0 && { limits: budgets }),
      });
      notifyDone(`${name.trim()} was created`);
      onClose();
      onCreated(id);
    },
    (error) => {
      const field = fieldOf(error);
      if (field === null) return messageOf(error);
      form.setFieldError(field, messageOf(error));
      return null;
    },
  );
  const usual = plans.find(({ isDefault }) => isDefault)?.name ?? 'The default plan';
  return (
    <form onSubmit={form.onSubmit(submit)} noValidate>
      <Stack gap="md">
        <TextInput
          label="Name"
          description="For example a product, a service or a team. You can rename it later."
          maxLength={100}
          required
          autoComplete="off"
          data-autofocus
          {...form.getInputProps('name')}
        />
        <ManagersField {...form.getInputProps('managers')} />
        <Select
          label="Plan"
          data={[
            { value: '', label: usual },
            ...plans
              .filter(({ isDefault, isRetired }) => !isDefault && !isRetired)
              .map(({ id, name }) => ({ value: id, label: name })),
          ]}
          allowDeselect={false}
          {...form.getInputProps('planId')}
        />
        <LimitFields names={BUDGET_NAMES} inputProps={(name) => form.getInputProps(`limits.${name}`)} />
        <DialogEnd fault={fault} onCancel={onClose}>
          <Button type="submit" loading={isBusy}>
            Create project
          </Button>
        </DialogEnd>
      </Stack>
    </form>
  );
}

/** The field that an error is about. */
function fieldOf(error: unknown): string | null {
  const param = error instanceof ApiError ? (error.param ?? '') : '';
  const limit = limitOfError(error);
  if (limit) return `limits.${limit}`;
  return ['name', 'managers', 'planId'].find((field) => param.split('[')[0] === field) ?? null;
}

const TYPING_MS = 200;
const OFFERED = 20;

interface ManagersFieldProps {
  value?: string[];
  onChange: (emails: string[]) => void;
  error?: React.ReactNode;
}

/** People by name or address; the gateway searches. */
function ManagersField({ value = [], onChange, error }: ManagersFieldProps) {
  const [typed, setTyped] = useState('');
  // It closes at each choice, as the open list covers the fields below.
  const [isOpen, setOpen] = useState(false);
  const [q] = useDebouncedValue(typed.trim(), TYPING_MS);
  const { data = [] } = useQuery(foundUsersQuery({ q, status: ['active', 'invited'], limit: OFFERED }));
  const found = data.flatMap(({ kind, email }) => (kind === 'person' && email ? [email] : []));
  // Nobody can choose from the results of an earlier text.
  const offered = q === typed.trim() ? found : [];
  return (
    <MultiSelect
      label="Managers"
      description="They make keys, add people and set limits. Search by name or address."
      data={[...new Set([...value, ...offered])]}
      value={value}
      onChange={(emails) => {
        onChange(emails);
        setOpen(false);
      }}
      dropdownOpened={isOpen}
      onDropdownOpen={() => setOpen(true)}
      onDropdownClose={() => setOpen(false)}
      error={error}
      searchable
      searchValue={typed}
      onSearchChange={setTyped}
      filter={({ options }) => options}
      hidePickedOptions
      nothingFoundMessage="Nobody matches"
    />
  );
}

interface CreateProjectDialogProps extends CreateProjectProps {
  opened: boolean;
}

export function CreateProjectDialog({ opened, onClose, ...form }: CreateProjectDialogProps) {
  return (
    <DialogHost dialog={opened || null} onClose={onClose}>
      {() => ({
        title: 'Create a project',
        size: 'lg',
        closeOnClickOutside: false,
        content: <CreateProjectForm {...form} onClose={onClose} />,
      })}
    </DialogHost>
  );
}
