import { Button, Stack } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { DialogEnd } from '../dialog-end';
import { type KeyForm, showAtField } from './key-form';

interface KeyFormFrameProps {
  form: KeyForm;
  submitLabel: string;
  onSubmit: () => Promise<void>;
  onClose: () => void;
  children: ReactNode;
}

/** Submits a form once, shows the progress and the gateway's error. */
export function KeyFormFrame({ form, submitLabel, onSubmit, onClose, children }: KeyFormFrameProps) {
  const [isBusy, setBusy] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const submit = form.onSubmit(async () => {
    if (isBusy) return;
    setBusy(true);
    setFault(null);
    try {
      await onSubmit();
    } catch (error) {
      setFault(showAtField(form, error));
      setBusy(false);
    }
  });
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        {children}
        <DialogEnd fault={fault} onCancel={onClose}>
          <Button type="submit" loading={isBusy}>
            {submitLabel}
          </Button>
        </DialogEnd>
      </Stack>
    </form>
  );
}
