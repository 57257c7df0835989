import { Button, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, unwrap } from '../api/client';
import { plansQuery } from '../api/lists';
import { queryClient } from '../api/query-client';
import type { components } from '../api/schema';
import type { DialogContent } from './dialog';
import { RelativeTime } from './figures';
import { FaultNote } from './notes';
import { notifyDone } from './notify';
import { QueryStates } from './states';
import { ENDS, endOf, type GrantEnd, localDay } from './times';
import { useSubmit } from './use-submit';

const CHANGED = ['users', 'projects', 'limits', 'plans', 'models', 'session', 'audit'];

interface PlanDialogProps {
  /** A user, or a project with the id of the user that represents it. */
  owner: { id: string; label: string; plan: components['schemas']['UserPlanView'] };
  onClose: () => void;
}

/** Grants a user or a project a plan, with or without an end, or ends it. */
export function planDialog(props: PlanDialogProps): DialogContent {
  return { title: `Plan of ${props.owner.label}`, content: <Plans {...props} /> };
}

function Plans({ owner, onClose }: PlanDialogProps) {
  const plans = useQuery(plansQuery);
  return (
    <QueryStates query={plans}>
      {({ plans: all }) => (
        <PlanForm
          owner={owner}
          onClose={onClose}
          plans={all
            .filter(({ id, isDefault, isRetired }) => !isDefault && (!isRetired || id === owner.plan.id))
            .map(({ id, name }) => ({ value: id, label: name }))}
          fallback={all.find(({ isDefault }) => isDefault)?.name ?? 'the default plan'}
        />
      )}
    </QueryStates>
  );
}

interface PlanFormProps extends PlanDialogProps {
  plans: { value: string; label: string }[];
  /** The plan without a grant. */
  fallback: string;
}

function PlanForm({ owner: { id, label, plan }, plans, fallback, onClose }: PlanFormProps) {
  const isGranted = plans.some(({ value }) => value === plan.id);
  const [grantChoice, setGrantChoice] = useState<GrantChoice>({
    planId: isGranted ? plan.id : (plans[0]?.value ?? ''),
    end: isGranted && plan.until ? 'day' : 'never',
    day: localDay(plan.until ? new Date(plan.until) : new Date()),
  });
  const { planId, end, day } = grantChoice;
  const params = { path: { id } };
  const grant = useSubmit(async () => {
    await changed(unwrap(api.POST('/api/users/{id}/plan', { params, body: { planId, until: endOf(end, day) } })));
    notifyDone(`${label} now has the plan ${plans.find(({ value }) => value === planId)?.label ?? planId}`);
    onClose();
  });
  const endGrant = useSubmit(async () => {
    await changed(unwrap(api.DELETE('/api/users/{id}/plan', { params })));
    notifyDone(`${label} is now on ${fallback}`);
    onClose();
  });
  return (
    <form onSubmit={grant.onSubmit}>
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
        <FaultNote fault={grant.fault ?? endGrant.fault} />
        <PlanFields plans={plans} value={grantChoice} onChange={setGrantChoice} />
        <Group justify="space-between" gap="xs" mt="xs">
          {isGranted ? (
            <Button variant="subtle" color="red" loading={endGrant.isBusy} onClick={endGrant.submit}>
              End the plan
            </Button>
          ) : (
            <span />
          )}
          <Group gap="xs">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={grant.isBusy} disabled={planId === ''}>
              {isGranted ? 'Save' : 'Grant plan'}
            </Button>
          </Group>
        </Group>
      </Stack>
    </form>
  );
}

/** A plan and the end of its grant, as chosen. */
export interface GrantChoice {
  planId: string;
  end: GrantEnd;
  /** For an end on a custom date. */
  day: string;
}

interface PlanFieldsProps {
  plans: { value: string; label: string }[];
  value: GrantChoice;
  onChange: (value: GrantChoice) => void;
}

export function PlanFields({ plans, value, onChange }: PlanFieldsProps) {
  return (
    <>
      <Select
        label="Plan"
        data={plans}
        value={value.planId}
        onChange={(planId) => onChange({ ...value, planId: planId ?? '' })}
        allowDeselect={false}
      />
      <Group grow align="flex-start" gap="xs">
        <Select
          label="Ends"
          data={[...ENDS]}
          value={value.end}
          onChange={(end) => onChange({ ...value, end: ENDS.find((one) => one.value === end)?.value ?? 'never' })}
          allowDeselect={false}
        />
        {value.end === 'day' && (
          <TextInput
            type="date"
            label="Last day"
            min={localDay(new Date())}
            required
            value={value.day}
            onChange={(event) => onChange({ ...value, day: event.currentTarget.value })}
          />
        )}
      </Group>
    </>
  );
}

/** Afterwards everything that depends on plans is loaded again. */
async function changed(change: Promise<unknown>): Promise<void> {
  try {
    await change;
  } finally {
    await Promise.all(CHANGED.map((key) => queryClient.invalidateQueries({ queryKey: [key] })));
  }
}
