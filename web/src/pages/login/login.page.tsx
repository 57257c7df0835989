import Info from 'icon:info';
import LogIn from 'icon:log-in';
import { Alert, Button, Divider, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { type SessionView, sessionQuery } from '../../api/session';
import { QueryStates } from '../../kit/query-states';
import classes from '../../kit/refusal.module.css';
import { useEntry } from '../../kit/use-entry';
import { useUrlState } from '../../kit/use-url-state';
import { CardPage } from '../../shell/card-page';
import { nextPage } from './next-page';
import { SignInForm } from './sign-in-form';

export function LoginPage() {
  const [asked] = useUrlState('next', '/');
  const next = nextPage(asked);
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
