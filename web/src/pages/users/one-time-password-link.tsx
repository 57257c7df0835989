import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { OneTimeSecret } from '../../kit/one-time-secret';
import { RelativeTime } from '../../kit/relative-time';
import type { PasswordLinkView } from './users-queries';

interface OneTimePasswordLinkProps {
  link: PasswordLinkView;
  email: string;
  onDone: () => void;
}

/** A link that sets a password once. Anyone who has it can sign in as that user, so it is shown only here. */
export function OneTimePasswordLink({ link, email, onDone }: OneTimePasswordLinkProps) {
  const [isCopied, setCopied] = useState(false);
  const [isWarned, setWarned] = useState(false);
  const close = () => (isCopied || isWarned ? onDone() : setWarned(true));
  return (
    <Stack gap="md">
      <Text size="sm">
        Give this link to <b>{email}</b>, who chooses a password with it. It works once and expires{' '}
        <RelativeTime value={link.expiresAt} />.
      </Text>
      <OneTimeSecret
        value={link.url}
        label="Password link"
        description="You will not see this link again. You can create a new one at any time."
        onCopied={() => setCopied(true)}
      />
      {isWarned && !isCopied && (
        <Alert color="yellow" role="alert" p="xs">
          The link has not been copied. Close anyway?
        </Alert>
      )}
      <Group justify="flex-end">
        <Button variant="default" onClick={close}>
          {isWarned && !isCopied ? 'Close without copying' : 'Done'}
        </Button>
      </Group>
    </Stack>
  );
}
