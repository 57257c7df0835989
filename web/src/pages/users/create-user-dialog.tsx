import { Modal } from '@mantine/core';
import { useState } from 'react';
import { notifyDone } from '../../kit/notify';
import { userLabel } from '../../kit/user-label';
import { CreateUserForm } from './create-user-form';
import { OneTimePasswordLink } from './one-time-password-link';
import type { CreatedUserView } from './users-queries';

interface CreateUserDialogProps {
  opened: boolean;
  onClose: () => void;
}

/** The form, then the link to set a password for the new user. */
export function CreateUserDialog({ opened, onClose }: CreateUserDialogProps) {
  const [created, setCreated] = useState<CreatedUserView | null>(null);
  const close = () => {
    onClose();
    setCreated(null);
  };
  const showLink = (result: CreatedUserView) => {
    notifyDone(`${userLabel(result.user)} was added`);
    if (result.link) setCreated(result);
    else close();
  };
  const hasLink = created?.link !== null && created?.link !== undefined;
  return (
    <Modal
      opened={opened}
      onClose={close}
      title={hasLink ? 'Share this link' : 'Add a user'}
      closeOnEscape={!hasLink}
      closeOnClickOutside={false}
    >
      {created?.link ? (
        <OneTimePasswordLink link={created.link} email={userLabel(created.user)} onDone={close} />
      ) : (
        <CreateUserForm onCreated={showLink} onCancel={close} />
      )}
    </Modal>
  );
}
