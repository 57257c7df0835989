import { Button, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { messageOf } from '../api/api-error';
import { api, unwrap } from '../api/client';
import type { SessionView } from '../api/session';

interface OtherWaysInProps {
  ways: SessionView['signIn']['oidc'];
  /** The user who has to sign in again. */
  userId: string;
  onDone: () => void;
}

/** Signing in happens in another tab, so that this page stays as it is. */
export function OtherWaysIn({ ways, userId, onDone }: OtherWaysInProps) {
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
