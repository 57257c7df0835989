import { Button, Modal, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { messageOf } from '../../api/api-error';
import { DialogEnd } from '../../kit/dialog-end';

interface NameDialogProps {
  opened: boolean;
  title: string;
  description?: string;
  /** The present name. */
  name?: string;
  submitLabel: string;
  onSubmit: (name: string) => Promise<unknown>;
  onClose: () => void;
}

/** Asks for the name of a project or a service account. */
export function NameDialog({ opened, title, onClose, ...form }: NameDialogProps) {
  return (
    <Modal opened={opened} onClose={onClose} title={title}>
      <NameForm {...form} onClose={onClose} />
    </Modal>
  );
}

type NameFormProps = Omit<NameDialogProps, 'opened' | 'title'>;

function NameForm({ description, name: present = '', submitLabel, onSubmit, onClose }: NameFormProps) {
  const [name, setName] = useState(present);
  const [isBusy, setBusy] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    if (name.trim() === '') return setFault('Enter a name');
    setBusy(true);
    setFault(null);
    try {
      await onSubmit(name.trim());
      onClose();
    } catch (error) {
      setFault(messageOf(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <TextInput
          label="Name"
          description={description}
          value={name}
          maxLength={100}
          required
          autoComplete="off"
          data-autofocus
          error={fault}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <DialogEnd fault={null} onCancel={onClose}>
          <Button type="submit" loading={isBusy}>
            {submitLabel}
          </Button>
        </DialogEnd>
      </Stack>
    </form>
  );
}
