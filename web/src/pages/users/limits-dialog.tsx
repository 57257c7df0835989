import { Button, Group, Modal, Select, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { messageOf } from '../../api/api-error';
import { type UserLimits, userLimitsQuery } from '../../api/limits';
import { DialogEnd } from '../../kit/dialog-end';
import { LimitField } from '../../kit/limit-fields';
import { LIMIT_LABELS, LIMIT_NAMES, type LimitName, limitText } from '../../kit/limits';
import { notifyDone } from '../../kit/notify';
import { QueryStates } from '../../kit/query-states';
import { userLabel } from '../../kit/user-label';
import { modesOf, toOwnLimit, toOwnLimitInput, validateOwnLimits } from './own-limits';
import type { UserDialogProps } from './user-actions';
import { useSetLimits } from './users-queries';

/** A user's own limits and budgets, which replace the plan's. */
export function LimitsDialog({ user, opened, onClose }: UserDialogProps) {
  const query = useQuery({ ...userLimitsQuery(user.id), enabled: opened });
  return (
    <Modal opened={opened} onClose={onClose} title={`Limits of ${userLabel(user)}`}>
      <QueryStates query={query}>
        {(limits) => <LimitsForm key={user.id} user={user} limits={limits} onClose={onClose} />}
      </QueryStates>
    </Modal>
  );
}

function LimitsForm({ user, limits, onClose }: Omit<UserDialogProps, 'opened'> & { limits: UserLimits }) {
  const set = useSetLimits();
  const form = useForm({ initialValues: toOwnLimit(limits.own), validate: validateOwnLimits });
  const save = form.onSubmit((values) => {
    const input = toOwnLimitInput(values, limits.own);
    set.mutate(
      { id: user.id, ...input },
      {
        onSuccess: () => {
          notifyDone(`The limits of ${userLabel(user)} are saved`);
          onClose();
        },
      },
    );
  });
  return (
    <form onSubmit={save} noValidate>
      <Stack gap="md">
        <Text size="sm" c="dimmed">
          For all keys of the user together; days and months are in UTC. Changes take effect within a second.
        </Text>
        {LIMIT_NAMES.map((name) => (
          <Group key={name} grow align="flex-start" gap="xs">
            <Select
              label={LIMIT_LABELS[name]}
              data={modesOf(name).map(({ value, label }) => ({
                value,
                label: value === 'plan' ? `Same as the plan: ${planText(name, limits)}` : label,
              }))}
              allowDeselect={false}
              {...form.getInputProps(`${name}.mode`)}
            />
            {form.values[name].mode === 'own' && (
              <LimitField
                name={name}
                label="Own value"
                aria-label={`Own value: ${LIMIT_LABELS[name]}`}
                placeholder=""
                {...form.getInputProps(`${name}.text`)}
              />
            )}
          </Group>
        ))}
        <DialogEnd fault={set.error ? messageOf(set.error) : null} onCancel={onClose}>
          <Button type="submit" loading={set.isPending} disabled={!form.isDirty()}>
            Save
          </Button>
        </DialogEnd>
      </Stack>
    </form>
  );
}

function planText(name: LimitName, { plan }: UserLimits): string {
  const amount = plan[name];
  return amount === null ? 'no limit' : limitText(name, amount);
}
