import { Button, Group, Modal, Select, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { messageOf } from '../api/api-error';
import { api, unwrap } from '../api/client';
import { plansQuery } from '../api/lists';
import { queryClient } from '../api/query-client';
import type { components } from '../api/schema';
import { FaultNote } from './fault-note';
import { ENDS, endOf, type GrantEnd, localDay } from './grant-end';
import { notifyDone } from './notify';
import { QueryStates } from './query-states';
import { RelativeTime } from './relative-time';

const CHANGED = ['users', 'projects', 'limits', 'plans', 'models', 'session', 'audit'];

interface PlanDialogProps {
  /** A user, or a project with the id of the user that represents it. */
  owner: { id: string; label: string; plan: components['schemas']['UserPlanView'] };
  opened: boolean;
  onClose: () => void;
}

/** Grants a user or a project a plan, with or without an end, or ends it. */
export function PlanDialog({ owner, opened, onClose }: PlanDialogProps) {
  const plans = useQuery({ ...plansQuery, enabled: opened });
  return (
    <Modal opened={opened} onClose={onClose} title={`Plan of ${owner.label}`}>
      <QueryStates query={plans}>
        {({ plans: all }) => (
          <PlanForm
            key={owner.id}
            owner={owner}
            onClose={onClose}
            plans={all
              .filter(({ id, isDefault, isRetired }) => !isDefault && (!isRetired || id === owner.plan.id))
              .map(({ id, name }) => ({ value: id, label: name }))}
            fallback={all.find(({ isDefault }) => isDefault)?.name ?? 'the default plan'}
          />
        )}
      </QueryStates>
    </Modal>
  );
}

interface PlanFormProps extends Omit<PlanDialogProps, 'opened'> {
  plans: { value: string; label: string }[];
  /** The plan without a grant. */
  fallback: string;
}

function PlanForm({ owner: { id, label, plan }, plans, fallback, onClose }: PlanFormProps) {
  const isGranted = plans.some(({ value }) => value === plan.id);
  const [planId, setPlanId] = useState(isGranted ? plan.id : (plans[0]?.value ?? ''));
  const [end, setEnd] = useState<GrantEnd>(isGranted && plan.until ? 'day' : 'never');
  const [day, setDay] = useState(localDay(plan.until ? new Date(plan.until) : new Date()));
  const grant = useChange((to: { planId: string; until: string | null }) =>
    unwrap(api.POST('/api/users/{id}/plan', { params: { path: { id } }, body: to })),
  );
  const endGrant = useChange(() => unwrap(api.DELETE('/api/users/{id}/plan', { params: { path: { id } } })));
  const error = grant.error ?? endGrant.error;
  const done = (message: string) => ({
    onSuccess: () => {
      notifyDone(message);
      onClose();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const name = plans.find(({ value }) => value === planId)?.label ?? planId;
    grant.mutate({ planId, until: endOf(end, day) }, done(`${label} now has the plan ${name}`));
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <Text size="sm" c="dimmed">
          Current plan: <b>{plan.name}</b>
          {plan.since && (
            <>
              {' '}
              since <RelativeTime value={plan.since} as="date" />
            </>
          )}
          {plan.until && (
            <>
              {' '}
              until <RelativeTime value={plan.until} as="date" />
            </>
          )}
          . Without a grant it is {fallback}. Changes take effect within a second.
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
              loading={endGrant.isPending}
              onClick={() => endGrant.mutate(undefined, done(`${label} is now on ${fallback}`))}
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

/** A change after which everything that depends on plans is loaded again. */
function useChange<V, D>(change: (variables: V) => Promise<D>) {
  return useMutation({
    mutationFn: change,
    onSettled: () => Promise.all(CHANGED.map((key) => queryClient.invalidateQueries({ queryKey: [key] }))),
  });
}
