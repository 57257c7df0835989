import Info from 'icon:info';
import LogIn from 'icon:log-in';
import { Alert, Button, Code, Divider, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { messageOf } from '../../api/api-error';
import { api, unwrap } from '../../api/client';
import { type SessionView, sessionQuery } from '../../api/session';
import classes from '../../kit/kit.module.css';
import { Refusal } from '../../kit/notes';
import { useEntry } from '../../kit/password-field';
import { QueryStates } from '../../kit/states';
import { useUrlState } from '../../kit/url-state';
import { formatWait, useSubmit, useWait } from '../../kit/use-submit';
import { CardPage } from '../../shell/card-page';
import { nextPage } from './next-page';

/** Help for an administrator who cannot ask another one. */
function PasswordCommand() {
  return (
    <>
      Are you the only administrator? The command <Code fz="inherit">user:password</Code>, run on the gateway's server,
      sets a new password and ends the waiting period.
    </>
  );
}

/** Whether Caps Lock is on, detected from the keys pressed in a field. */
function useCapsLock() {
  const [isOn, setOn] = useState(false);
  const look = (event: KeyboardEvent) => setOn(event.getModifierState('CapsLock'));
  return { isOn, watch: { onKeyDown: look, onKeyUp: look, onBlur: () => setOn(false) } };
}

interface Fields {
  email: string;
  password: string;
}

function SignInForm({ onSignedIn }: { onSignedIn: () => Promise<void> }) {
  const [fields, setFields] = useState<Fields>({ email: '', password: '' });
  const password = useRef<HTMLInputElement>(null);
  const capsLock = useCapsLock();
  const email = fields.email.trim();
  const [tried, setTried] = useState(email);
  const signIn = useSubmit(
    async () => {
      setTried(email);
      await unwrap(api.POST('/api/session', { body: { ...fields, email } }));
      await onSignedIn();
    },
    (error) => {
      password.current?.select();
      return messageOf(error);
    },
  );
  // The wait applies to one address: another one can try immediately.
  const refused = tried === email ? signIn.error : null;
  const wait = useWait(refused);
  return (
    <form onSubmit={signIn.onSubmit}>
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
        <Button type="submit" fullWidth loading={signIn.isBusy} disabled={wait > 0}>
          {wait > 0 ? `Wait ${formatWait(wait)}` : 'Sign in'}
        </Button>
      </Stack>
    </form>
  );
}

export function LoginPage() {
  const [requested] = useUrlState('next', '/');
  const next = nextPage(requested);
  const session = useQuery(sessionQuery);
  const enter = useEntry();
  const navigate = useNavigate();
  const isInside = Boolean(session.data?.user);
  useEffect(() => {
    if (isInside) void navigate({ href: next, replace: true });
  }, [isInside, navigate, next]);
  if (isInside) return null;
  return (
    <CardPage title="Sign in" description="to your AI gateway" below={session.data && <Help session={session.data} />}>
      <QueryStates query={session}>
        {({ signIn: { local, oidc, setupNeeded } }) => (
          <Stack gap="md">
            {setupNeeded && <SetupHint />}
            {oidc.map(({ id, label, startUrl }, index) => (
              <Button
                key={id}
                component="a"
                href={`${startUrl}?${new URLSearchParams({ next })}`}
                variant={index === 0 ? 'filled' : 'default'}
                leftSection={<LogIn size={16} aria-hidden="true" />}
                fullWidth
              >
                {label}
              </Button>
            ))}
            {oidc.length > 0 && local && <Divider label="or with a password" />}
            {local && <SignInForm onSignedIn={() => enter(next)} />}
          </Stack>
        )}
      </QueryStates>
    </CardPage>
  );
}

function SetupHint() {
  return (
    <Alert
      color="iris"
      p="sm"
      classNames={{ icon: classes.icon }}
      icon={<Info size={16} aria-hidden="true" />}
      title="Not set up yet"
    >
      There is no administrator. Open the “Set up” link that the gateway printed when it started. The command setup:link
      creates a new one.
    </Alert>
  );
}

function Help({ session: { signIn } }: { session: SessionView }) {
  if (signIn.setupNeeded) return null;
  return (
    <Text size="xs" c="dimmed" ta="center" style={{ textWrap: 'balance' }}>
      {signIn.local
        ? "No password yet, or forgotten? An administrator can give you a link to set one. If you are the only administrator, run the command user:password on the gateway's server."
        : 'This gateway uses single sign-on only. If you cannot sign in, ask an administrator.'}
    </Text>
  );
}
