import { Button, Group, Radio, SegmentedControl, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { ApiError, messageOf } from '../../api/api-error';
import { FaultNote } from '../../kit/fault-note';
import { type CreatedUserView, type NewUser, useCreateUser } from './users-queries';

interface CreateUserFormProps {
  onCreated: (created: CreatedUserView) => void;
  onCancel: () => void;
}

export function CreateUserForm({ onCreated, onCancel }: CreateUserFormProps) {
  const create = useCreateUser();
  const form = useForm<Required<NewUser>>({
    initialValues: { kind: 'person', email: '', name: '', role: 'member' },
    validate: { email: (email) => (email.trim() === '' ? 'This field is required' : null) },
  });
  const isPerson = form.values.kind === 'person';
  const submit = form.onSubmit(async ({ email, name, kind, role }) => {
    try {
      const body = { email: email.trim(), name: name.trim(), kind, role: isPerson ? role : 'member' } as const;
      onCreated(await create.mutateAsync(body));
    } catch (error) {
      if (error instanceof ApiError && error.param && error.param in form.values) {
        form.setFieldError(error.param, error.message);
      }
    }
  });
  const isShownAtField =
    create.error instanceof ApiError && create.error.param !== null && create.error.param in form.errors;
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <SegmentedControl
          fullWidth
          aria-label="Kind of account"
          data={[
            { value: 'person', label: 'Person' },
            { value: 'service', label: 'Service account' },
          ]}
          {...form.getInputProps('kind')}
        />
        <FaultNote fault={create.error && !isShownAtField ? messageOf(create.error) : null} />
        <TextInput
          label="E-mail"
          description={isPerson ? undefined : 'Identifies the account; no e-mail is sent.'}
          placeholder={isPerson ? 'ada@example.com' : 'nightly-reports@example.com'}
          type="email"
          autoComplete="off"
          required
          data-autofocus
          {...form.getInputProps('email')}
        />
        <TextInput label="Name" autoComplete="off" maxLength={100} {...form.getInputProps('name')} />
        {isPerson && (
          <Radio.Group label="Role" {...form.getInputProps('role')}>
            <Stack gap="xs" mt={6}>
              <Radio value="member" label="Member" description="Has keys, and sees their own usage." />
              <Radio
                value="admin"
                label="Admin"
                description="Also manages users, plans and upstreams, and sees all usage."
              />
            </Stack>
          </Radio.Group>
        )}
        <Group justify="flex-end" gap="xs" mt="xs">
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" loading={create.isPending}>
            Add user
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
