import { Button, Group, Modal, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { messageOf } from '../../api/api-error';
import { FaultNote } from '../../kit/fault-note';
import { notifyDone } from '../../kit/notify';
import { userLabel } from '../../kit/user-label';
import type { UserDialogProps } from './user-actions';
import { useUpdateUser } from './users-queries';

export function RenameDialog({ user, opened, onClose }: UserDialogProps) {
  return (
    <Modal opened={opened} onClose={onClose} title={`Rename ${userLabel(user)}`}>
      <RenameForm key={user.id} user={user} onClose={onClose} />
    </Modal>
  );
}

function RenameForm({ user, onClose }: Omit<UserDialogProps, 'opened'>) {
  const [name, setName] = useState(user.name);
  const update = useUpdateUser();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    update.mutate(
      { id: user.id, name: name.trim() },
      {
        onSuccess: () => {
          notifyDone('The name was changed');
          onClose();
        },
      },
    );
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <FaultNote fault={update.error ? messageOf(update.error) : null} />
        <TextInput
          label="Name"
          value={name}
          maxLength={100}
          autoComplete="off"
          data-autofocus
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={update.isPending}>
            Save
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
