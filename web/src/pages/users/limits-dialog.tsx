import { Button, Modal, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { messageOf } from '../../api/api-error';
import { type UserLimits, userLimitsQuery } from '../../api/limits';
import { DialogEnd } from '../../kit/dialog-end';
import { LimitFields } from '../../kit/limit-fields';
import { isBudget, LIMIT_NAMES, type LimitName, toText, validateLimits } from '../../kit/limits';
import { notifyDone } from '../../kit/notify';
import { formatNumber } from '../../kit/numbers';
import { QueryStates } from '../../kit/query-states';
import { userLabel } from '../../kit/user-label';
import { toOwnLimitInput, toOwnLimitTexts } from './own-limits';
import type { UserDialogProps } from './user-actions';
import { useSetLimits } from './users-queries';

/** A user's own limits and budgets, which replace the plan's. */
export function LimitsDialog({ user, opened, onClose }: UserDialogProps) {
  const query = useQuery({ ...userLimitsQuery(user.id), enabled: opened });
  return (
    <Modal opened={opened} onClose={onClose} size="lg" title={`Limits of ${userLabel(user)}`}>
      <QueryStates query={query}>
        {(limits) => <LimitsForm key={user.id} user={user} limits={limits} onClose={onClose} />}
      </QueryStates>
    </Modal>
  );
}

function LimitsForm({ user, limits, onClose }: Omit<UserDialogProps, 'opened'> & { limits: UserLimits }) {
  const set = useSetLimits();
  const form = useForm({ initialValues: toOwnLimitTexts(limits.own), validate: validateLimits });
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
          For all keys of the user together; days and months are in UTC. An empty field takes the value of the plan.
          Changes take effect within a second.
        </Text>
        <LimitFields
          names={LIMIT_NAMES}
          inputProps={(name) => form.getInputProps(name)}
          inherited={(name) => inheritedText(name, limits)}
        />
        <DialogEnd fault={set.error ? messageOf(set.error) : null} onCancel={onClose}>
          <Button type="submit" loading={set.isPending} disabled={!form.isDirty()}>
            Save
          </Button>
        </DialogEnd>
      </Stack>
    </form>
  );
}

/** A plan has no total budget to inherit. */
function inheritedText(name: LimitName, { plan }: UserLimits): string | null {
  if (name === 'budgetTotalUsd') return null;
  const amount = plan[name];
  return amount === null ? 'Plan: no limit' : `Plan: ${isBudget(name) ? toText(amount) : formatNumber(amount)}`;
}
