import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useSession } from '../api/session';
import { forgetTab } from '../kit/tab-memory';

/** Covers a page after another user has signed in; it reloads for that user. */
export function OtherUserDialog({ email }: { email: string }) {
  const { user } = useSession();
  const reload = () => {
    forgetTab();
    window.location.assign('/');
  };
  return (
    <Modal
      opened
      onClose={reload}
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
      title={`You are now signed in as ${email}`}
      overlayProps={{ backgroundOpacity: 0.6, blur: 6 }}
      size="sm"
      zIndex={510}
    >
      <Stack gap="md">
        <Text size="sm">
          Another tab of this browser signed in as {email}. This page belongs to {user.email} and is no longer updated.
        </Text>
        <Group justify="flex-end">
          <Button onClick={reload} data-autofocus>
            Continue as {email}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
