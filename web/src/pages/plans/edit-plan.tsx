import Users from 'icon:users';
import { Alert, Button, Modal, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { ApiError, messageOf } from '../../api/api-error';
import { DialogEnd } from '../../kit/dialog-end';
import { notifyDone } from '../../kit/notify';
import { PlanFields } from './plan-fields';
import { type PlanForm, toNewPlan, toPlanChange, usePlanForm } from './plan-form';
import { changeText } from './plan-words';
import { createPlan, type PlanView, type TierView, updatePlan } from './plans-api';

interface EditPlanProps {
  /** Null closes the dialog. */
  plan: PlanView | 'new' | null;
  tiers: readonly TierView[];
  onClose: () => void;
}

export function EditPlan({ plan, tiers, onClose }: EditPlanProps) {
  const title = plan === 'new' ? 'New plan' : `Edit plan ${plan?.name ?? ''}`;
  return (
    <Modal opened={plan !== null} onClose={onClose} title={title}>
      {plan && <EditPlanForm plan={plan === 'new' ? null : plan} tiers={tiers} onClose={onClose} />}
    </Modal>
  );
}

function EditPlanForm({ plan, tiers, onClose }: EditPlanProps & { plan: PlanView | null }) {
  const choices = plan ? [...tiers, ...missingTiers(plan, tiers)] : tiers;
  const [fault, setFault] = useState<string | null>(null);
  const form = usePlanForm(plan);
  const save = form.onSubmit(async (values) => {
    setFault(null);
    const ordered = choices.map(({ id }) => id).filter((id) => values.tiers.includes(id));
    const input = { ...values, tiers: ordered };
    try {
      await (plan ? updatePlan(plan.id, toPlanChange(input, plan)) : createPlan(toNewPlan(input)));
      notifyDone(`Plan ${values.name.trim()} is saved`);
      onClose();
    } catch (error) {
      setFault(showAtField(form, error));
    }
  });
  return (
    <form onSubmit={save} noValidate>
      <Stack gap="md">
        <PlanFields form={form} plan={plan} tiers={choices} />
        {plan && (
          <Alert icon={<Users size={17} aria-hidden="true" />} color="gray" p="sm" role="status">
            <Text size="sm">{changeText(plan, form.values.tiers, tiers)}</Text>
          </Alert>
        )}
        <DialogEnd fault={fault} onCancel={onClose}>
          <Button type="submit" loading={form.submitting} disabled={!form.isDirty()}>
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
