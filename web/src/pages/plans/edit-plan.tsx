import { Alert, Button, Checkbox, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { Users } from 'lucide-react';
import { useState } from 'react';
import { messageOf } from '../../api/api-error';
import { DialogEnd } from '../../kit/dialog-end';
import { notifyDone } from '../../kit/notify';
import { formatNumber } from '../../kit/numbers';
import { changeText } from './plan-words';
import classes from './plans.module.css';
import { type PlanView, type TierView, updatePlan } from './plans-api';

interface EditPlanProps {
  /** Null: the dialog is shut. */
  plan: PlanView | null;
  tiers: readonly TierView[];
  onClose: () => void;
}

export function EditPlan({ plan, tiers, onClose }: EditPlanProps) {
  return (
    <Modal opened={plan !== null} onClose={onClose} title={`Edit plan ${plan?.name ?? ''}`}>
      {plan && <EditPlanForm plan={plan} tiers={tiers} onClose={onClose} />}
    </Modal>
  );
}

function EditPlanForm({ plan, tiers, onClose }: EditPlanProps & { plan: PlanView }) {
  const choices = [...tiers, ...missingTiers(plan, tiers)];
  const [fault, setFault] = useState<string | null>(null);
  const form = useForm({
    initialValues: { name: plan.name, tiers: plan.tiers },
    validate: {
      name: (name) => (name.trim() === '' ? 'Enter a name' : null),
      tiers: (chosen) => (chosen.length === 0 ? 'Choose at least one tier' : null),
    },
  });
  const save = form.onSubmit(async (values) => {
    setFault(null);
    try {
      const ordered = choices.map(({ id }) => id).filter((id) => values.tiers.includes(id));
      await updatePlan(plan.id, { name: values.name, tiers: ordered });
      notifyDone(`Plan ${values.name.trim()} is saved`);
      onClose();
    } catch (error) {
      setFault(messageOf(error));
    }
  });
  return (
    <form onSubmit={save} noValidate>
      <Stack gap="md">
        <TextInput label="Name" maxLength={40} data-autofocus required {...form.getInputProps('name')} />
        <Checkbox.Group
          label="Tiers"
          description="Models of these tiers can be called"
          {...form.getInputProps('tiers')}
        >
          <Stack gap="xs" mt="xs">
            {choices.map(({ id, models }) => (
              <Checkbox
                key={id}
                value={id}
                className={classes.choice}
                label={id}
                description={models === 1 ? '1 model' : `${formatNumber(models)} models`}
              />
            ))}
          </Stack>
        </Checkbox.Group>
        <Alert icon={<Users size={17} aria-hidden="true" />} color="gray" p="sm" role="status">
          <Text size="sm">{changeText(plan, form.values.tiers, tiers)}</Text>
        </Alert>
        <DialogEnd fault={fault} onCancel={onClose}>
          <Button type="submit" loading={form.submitting} disabled={!form.isDirty()}>
            Save
          </Button>
        </DialogEnd>
      </Stack>
    </form>
  );
}

/** Tiers that the catalog has no model of now. */
function missingTiers(plan: PlanView, tiers: readonly TierView[]): TierView[] {
  const known = new Set(tiers.map(({ id }) => id));
  return plan.tiers.filter((id) => !known.has(id)).map((id) => ({ id, models: 0 }));
}
