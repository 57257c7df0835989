import { Button, Modal, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { messageOf } from '../api/api-error';
import { api, unwrap } from '../api/client';
import { useSession } from '../api/session';
import { FaultNote } from '../kit/fault-note';
import { OtherWaysIn } from './other-ways-in';

interface SignInAgainDialogProps {
  onClose: (isSignedIn: boolean) => void;
}

/** The person is known: asks only for the password, or offers the other ways to sign in. */
export function SignInAgainDialog({ onClose }: SignInAgainDialogProps) {
  const { user, signIn } = useSession();
  const queries = useQueryClient();
  const resume = () => {
    onClose(true);
    void queries.invalidateQueries();
  };
  return (
    <Modal
      opened
      onClose={() => onClose(false)}
      title="Your session has ended"
      closeOnClickOutside={false}
      size="sm"
      zIndex={500}
    >
      <Stack gap="md">
        <Text size="sm" c="dimmed">
          Sign in again to continue. Nothing on this page is lost.
        </Text>
        {signIn.local && <PasswordForm email={user.email} onDone={resume} />}
        <OtherWaysIn ways={signIn.oidc} userId={user.id} onDone={resume} />
      </Stack>
    </Modal>
  );
}

function PasswordForm({ email, onDone }: { email: string; onDone: () => void }) {
  const [password, setPassword] = useState('');
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setError(null);
    try {
      await unwrap(api.POST('/api/session', { body: { email, password } }));
      onDone();
    } catch (reason) {
      setError(reason);
      setBusy(false);
    }
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <FaultNote fault={error !== null ? messageOf(error) : null} />
        <TextInput label="E-mail" value={email} readOnly autoComplete="username" type="email" />
        <PasswordInput
          label="Password"
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          autoComplete="current-password"
          required
          data-autofocus
        />
        <Button type="submit" loading={isBusy}>
          Sign in
        </Button>
      </Stack>
    </form>
  );
}
