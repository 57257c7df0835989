import { Button, Modal, Stack, Text } from '@mantine/core';
import { messageOf } from '../../api/api-error';
import { DialogEnd } from '../../kit/dialog-end';
import { userLabel } from '../../kit/user-label';
import { OneTimePasswordLink } from './one-time-password-link';
import type { UserDialogProps } from './user-actions';
import { useCreateLink } from './users-queries';

export function LinkDialog({ user, opened, onClose }: UserDialogProps) {
  const create = useCreateLink();
  const close = () => {
    onClose();
    create.reset();
  };
  return (
    <Modal
      opened={opened}
      onClose={close}
      title={create.data ? 'Share this link' : 'Create a password link?'}
      closeOnEscape={!create.data}
      closeOnClickOutside={!create.data}
    >
      {create.data ? (
        <OneTimePasswordLink link={create.data} email={userLabel(user)} onDone={close} />
      ) : (
        <Stack gap="md">
          <Text size="sm">
            With this link, <b>{userLabel(user)}</b> can choose a new password. Earlier links stop working.
          </Text>
          <DialogEnd fault={create.error ? messageOf(create.error) : null} onCancel={close}>
            <Button data-autofocus loading={create.isPending} onClick={() => create.mutate(user.id)}>
              Create link
            </Button>
          </DialogEnd>
        </Stack>
      )}
    </Modal>
  );
}
