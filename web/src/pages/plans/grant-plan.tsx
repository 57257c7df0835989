import { Button, Group, Modal, Select, type SelectProps, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { messageOf } from '../../api/api-error';
import { DialogEnd } from '../../kit/dialog-end';
import { ENDS, endOf, type GrantEnd, localDay } from '../../kit/grant-end';
import { notifyDone } from '../../kit/notify';
import { useUserSearch } from '../../kit/use-user-search';
import { userLabel } from '../../kit/user-label';
import { grantPlan, type PlanHolder, type PlanView } from './plans-api';

/** A plan to grant; with a holder, only its end can be changed. */
export interface Grant {
  plan: PlanView;
  holder: PlanHolder | null;
}

interface GrantPlanProps {
  /** Null closes the dialog. */
  grant: Grant | null;
  onClose: () => void;
}

export function GrantPlan({ grant, onClose }: GrantPlanProps) {
  const title = grant?.holder ? `Change the end of ${grant.plan.name}` : `Grant ${grant?.plan.name ?? ''} to a user`;
  return (
    <Modal opened={grant !== null} onClose={onClose} title={title}>
      {grant && <GrantPlanForm grant={grant} onClose={onClose} />}
    </Modal>
  );
}

function GrantPlanForm({ grant: { plan, holder }, onClose }: GrantPlanProps & { grant: Grant }) {
  const [fault, setFault] = useState<string | null>(null);
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
  const save = form.onSubmit(async ({ userId, end, day }) => {
    setFault(null);
    try {
      await grantPlan(userId, plan.id, endOf(end, day));
      notifyDone(holder ? `The new end date is saved` : `The user now has ${plan.name}`);
      onClose();
    } catch (error) {
      setFault(messageOf(error));
    }
  });
  return (
    <form onSubmit={save} noValidate>
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
          <Button type="submit" loading={form.submitting}>
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
