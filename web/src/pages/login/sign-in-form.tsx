import { Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { api, unwrap } from '../../api/client';
import { Refusal } from '../../kit/refusal';
import { formatWait, useWait } from '../../kit/use-wait';
import { PasswordCommand } from './password-command';
import { useCapsLock } from './use-caps-lock';

interface Fields {
  email: string;
  password: string;
}

export function SignInForm({ onSignedIn }: { onSignedIn: () => Promise<void> }) {
  const [fields, setFields] = useState<Fields>({ email: '', password: '' });
  const password = useRef<HTMLInputElement>(null);
  const capsLock = useCapsLock();
  const signIn = useMutation({
    gcTime: 0,
    mutationFn: async (body: Fields) => {
      await unwrap(api.POST('/api/session', { body }));
      await onSignedIn();
    },
    onError: () => password.current?.select(),
  });
  // The wait applies to one address: another one can try immediately.
  const refused = signIn.variables?.email === fields.email.trim() ? signIn.error : null;
  const wait = useWait(refused);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!signIn.isPending) signIn.mutate({ ...fields, email: fields.email.trim() });
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <Refusal error={refused} wait={wait} wayOut={<PasswordCommand />} />
        <TextInput
          label="E-mail"
          type="email"
          name="email"
          autoComplete="username"
          autoFocus
          required
          withAsterisk={false}
          value={fields.email}
          onChange={({ currentTarget: { value } }) => setFields((now) => ({ ...now, email: value }))}
        />
        <div>
          <PasswordInput
            ref={password}
            label="Password"
            name="password"
            autoComplete="current-password"
            required
            withAsterisk={false}
            visibilityToggleButtonProps={{ 'aria-label': 'Show password', tabIndex: 0 }}
            value={fields.password}
            onChange={({ currentTarget: { value } }) => setFields((now) => ({ ...now, password: value }))}
            {...capsLock.watch}
          />
          <Text size="xs" c="var(--console-warn)" mt={4} role="status">
            {capsLock.isOn && 'Caps Lock is on.'}
          </Text>
        </div>
        <Button type="submit" fullWidth loading={signIn.isPending} disabled={wait > 0}>
          {wait > 0 ? `Wait ${formatWait(wait)}` : 'Sign in'}
        </Button>
      </Stack>
    </form>
  );
}
