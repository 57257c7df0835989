import { Button, Group, Modal, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { messageOf } from '../api/api-error';
import { api, unwrap } from '../api/client';
import { type SessionView, signedInQuery, useSession } from '../api/session';
import { signedInAgain } from '../api/session-clock';
import { FaultNote } from '../kit/notes';
import { forgetTab } from '../kit/url-state';
import { formatWait, useSubmit } from '../kit/use-submit';
import { signOut } from './navigation';
import type { Ending } from './use-session-end';

interface OtherWaysInProps {
  ways: SessionView['signIn']['oidc'];
  /** The user who has to sign in again. */
  userId: string;
  onDone: () => void;
}

/** Signing in happens in another tab, so that this page stays as it is. */
function OtherWaysIn({ ways, userId, onDone }: OtherWaysInProps) {
  const [note, setNote] = useState<string | null>(null);
  if (ways.length === 0) return null;
  const check = async () => {
    try {
      const { user } = await unwrap(api.GET('/api/session'));
      if (user?.id === userId) onDone();
      else
        setNote(user ? `You are now signed in as ${user.email}. Reload the page to continue.` : 'Not signed in yet.');
    } catch (error) {
      setNote(messageOf(error));
    }
  };
  return (
    <Stack gap="xs">
      {ways.map(({ id, label, startUrl }) => (
        <Button key={id} component="a" href={startUrl} target="_blank" rel="noopener" variant="default">
          {label} (new tab)
        </Button>
      ))}
      <Button variant="subtle" onClick={check}>
        I have signed in
      </Button>
      {note && (
        <Text size="sm" role="status">
          {note}
        </Text>
      )}
    </Stack>
  );
}

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
  const { onSubmit, isBusy, fault } = useSubmit(async () => {
    await unwrap(api.POST('/api/session', { body: { email, password } }));
    onDone();
  });
  return (
    <form onSubmit={onSubmit}>
      <Stack gap="md">
        <FaultNote fault={fault} />
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
