import { Button, Group, Modal, Select, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { messageOf } from '../../api/api-error';
import { plansQuery } from '../../api/lists';
import { FaultNote } from '../../kit/fault-note';
import { ENDS, endOf, type GrantEnd, localDay } from '../../kit/grant-end';
import { notifyDone } from '../../kit/notify';
import { QueryStates } from '../../kit/query-states';
import { RelativeTime } from '../../kit/relative-time';
import { userLabel } from '../../kit/user-label';
import type { UserDialogProps } from './user-actions';
import { useEndPlan, useGrantPlan } from './users-queries';

/** Grants a user a plan, with or without an end, or ends it. */
export function PlanDialog({ user, opened, onClose }: UserDialogProps) {
  const plans = useQuery({ ...plansQuery, enabled: opened });
  return (
    <Modal opened={opened} onClose={onClose} title={`Plan of ${userLabel(user)}`}>
      <QueryStates query={plans}>
        {({ plans: all }) => (
          <PlanForm
            key={user.id}
            user={user}
            onClose={onClose}
            plans={all
              .filter(({ id, isDefault, isRetired }) => !isDefault && (!isRetired || id === user.plan.id))
              .map(({ id, name }) => ({ value: id, label: name }))}
            fallback={all.find(({ isDefault }) => isDefault)?.name ?? 'the default plan'}
          />
        )}
      </QueryStates>
    </Modal>
  );
}

interface PlanFormProps extends Omit<UserDialogProps, 'opened'> {
  plans: { value: string; label: string }[];
  /** The plan of users without a grant. */
  fallback: string;
}

function PlanForm({ user, plans, fallback, onClose }: PlanFormProps) {
  const isGranted = plans.some(({ value }) => value === user.plan.id);
  const [planId, setPlanId] = useState(isGranted ? user.plan.id : (plans[0]?.value ?? ''));
  const [end, setEnd] = useState<GrantEnd>(isGranted && user.plan.until ? 'day' : 'never');
  const [day, setDay] = useState(localDay(user.plan.until ? new Date(user.plan.until) : new Date()));
  const grant = useGrantPlan();
  const takeBack = useEndPlan();
  const error = grant.error ?? takeBack.error;
  const done = (message: string) => ({
    onSuccess: () => {
      notifyDone(message);
      onClose();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const name = plans.find(({ value }) => value === planId)?.label ?? planId;
    grant.mutate({ id: user.id, planId, until: endOf(end, day) }, done(`${userLabel(user)} now has the plan ${name}`));
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <Text size="sm" c="dimmed">
          Current plan: <b>{user.plan.name}</b>
          {user.plan.since && (
            <>
              {' '}
              since <RelativeTime value={user.plan.since} as="date" />
            </>
          )}
          {user.plan.until && (
            <>
              {' '}
              until <RelativeTime value={user.plan.until} as="date" />
            </>
          )}
          . Users without a plan have {fallback}. Changes take effect within a second.
        </Text>
        <FaultNote fault={error ? messageOf(error) : null} />
        <Select
          label="Plan"
          data={plans}
          value={planId}
          onChange={(value) => setPlanId(value ?? '')}
          allowDeselect={false}
        />
        <Group grow align="flex-start" gap="xs">
          <Select
            label="Ends"
            data={[...ENDS]}
            value={end}
            onChange={(value) => setEnd(ENDS.find((choice) => choice.value === value)?.value ?? 'never')}
            allowDeselect={false}
          />
          {end === 'day' && (
            <TextInput
              type="date"
              label="Last day"
              min={localDay(new Date())}
              required
              value={day}
              onChange={(event) => setDay(event.currentTarget.value)}
            />
          )}
        </Group>
        <Group justify="space-between" gap="xs" mt="xs">
          {isGranted ? (
            <Button
              variant="subtle"
              color="red"
              loading={takeBack.isPending}
              onClick={() => takeBack.mutate(user.id, done(`${userLabel(user)} is on ${fallback} now`))}
            >
              End the plan
            </Button>
          ) : (
            <span />
          )}
          <Group gap="xs">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={grant.isPending} disabled={planId === ''}>
              {isGranted ? 'Save' : 'Grant plan'}
            </Button>
          </Group>
        </Group>
      </Stack>
    </form>
  );
}
