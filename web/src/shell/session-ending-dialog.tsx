import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { signedInQuery } from '../api/session';
import { signedInAgain } from '../api/session-expiry';
import { formatWait } from '../kit/use-wait';
import { signOut } from './sign-out';
import type { Ending } from './use-session-end';

/** Counts down to the end of the session; one click extends it, or asks for the password if it cannot be extended. */
export function SessionEndingDialog({ seconds, isFinal }: Ending) {
  const queries = useQueryClient();
  const [isBusy, setBusy] = useState(false);
  const stay = async () => {
    if (isFinal) return void signedInAgain();
    setBusy(true);
    await queries.refetchQueries({ queryKey: signedInQuery.queryKey, exact: true });
    setBusy(false);
  };
  return (
    <Modal opened onClose={stay} title="Your session ends soon" closeOnClickOutside={false} size="sm" zIndex={490}>
      <Stack gap="md">
        <Text size="sm">
          {isFinal
            ? 'It has reached the maximum length of a session. Sign in again to continue; nothing on this page is lost.'
            : 'You have not used the console for a while. Nothing on this page is lost if you stay.'}
        </Text>
        <Text size="xl" fw={600} ta="center" role="timer" aria-label="Time left">
          {formatWait(seconds)}
        </Text>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={() => signOut()}>
            Sign out
          </Button>
          <Button loading={isBusy} onClick={stay} data-autofocus>
            Stay signed in
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
