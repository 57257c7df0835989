import { Button, Modal, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { ApiError, messageOf } from '../../api/api-error';
import type { ProjectDetail } from '../../api/projects';
import { useSession } from '../../api/session';
import { DialogEnd } from '../../kit/dialog-end';
import { LimitFields } from '../../kit/limit-fields';
import { LIMIT_NAMES, type LimitName, limitText, toLimitInput, toLimitTexts, validateLimits } from '../../kit/limits';
import { notifyDone } from '../../kit/notify';
import { setLimits } from './project-api';

interface LimitsDialogProps {
  project: ProjectDetail;
  opened: boolean;
  onClose: () => void;
}

/** The limits and budgets of all keys of a project together. */
export function LimitsDialog({ project, opened, onClose }: LimitsDialogProps) {
  return (
    <Modal opened={opened} onClose={onClose} size="lg" title={`Limits of ${project.name}`}>
      <LimitsForm project={project} onClose={onClose} />
    </Modal>
  );
}

function LimitsForm({ project, onClose }: Omit<LimitsDialogProps, 'opened'>) {
  const isAdmin = useSession().user.role === 'admin';
  const { values, bounds } = project.limits;
  const [before] = useState(() => toLimitTexts(values));
  const [isBusy, setBusy] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const form = useForm({ initialValues: before, validate: validateLimits });
  const save = form.onSubmit(async (texts) => {
    setBusy(true);
    setFault(null);
    try {
      await setLimits(project.id, toLimitInput(texts, before));
      notifyDone(`The limits of ${project.name} are saved`);
      onClose();
    } catch (error) {
      const name = fieldOf(error);
      if (name) form.setFieldError(name, messageOf(error));
      else setFault(messageOf(error));
      setBusy(false);
    }
  });
  const boundOf = (name: LimitName) => {
    const bound = bounds[name];
    return bound === null || isAdmin ? undefined : `At most ${limitText(name, bound)}`;
  };
  return (
    <form onSubmit={save} noValidate>
      <Stack gap="md">
        <Text size="sm" c="dimmed">
          For all keys of the project together; days and months are in UTC. An empty field means no limit.{' '}
          {isAdmin
            ? 'The values that you set here are the maximum for its managers.'
            : 'You can set less than administrators have set, but not more.'}
        </Text>
        <LimitFields
          names={LIMIT_NAMES}
          inputProps={(name) => ({ ...form.getInputProps(name), description: boundOf(name) })}
        />
        <DialogEnd fault={fault} onCancel={onClose}>
          <Button type="submit" loading={isBusy} disabled={!form.isDirty()}>
            Save
          </Button>
        </DialogEnd>
      </Stack>
    </form>
  );
}

/** The limit that an error is about. */
function fieldOf(error: unknown): LimitName | undefined {
  const param = error instanceof ApiError ? error.param : null;
  return LIMIT_NAMES.find((name) => name === param?.replace('limits.', ''));
}
