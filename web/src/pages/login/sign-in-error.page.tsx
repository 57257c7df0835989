import { Badge, Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { api, unwrap } from '../../api/client';
import { sessionQuery } from '../../api/session';
import { RequestId } from '../../kit/copy-button';
import { ButtonLink } from '../../kit/page';
import { CardPage } from '../../shell/card-page';

interface Reason {
  title: string;
  text: string;
  /** The text before the names that the gateway sends with this reason. */
  missing?: string;
  /** Whether another try with the same provider may help. */
  mayRetry: boolean;
}

const ASK = 'Ask an administrator of the gateway.';

/** Why a sign-in failed, by the gateway's code. */
const REASONS: Readonly<Record<string, Reason>> = {
  provider_unreachable: {
    title: 'Single sign-on is not responding',
    text: 'The sign-on service of your company could not be reached. Try again in a minute.',
    mayRetry: true,
  },
  access_denied: {
    title: 'Sign-in cancelled',
    text: 'The sign-in was refused or cancelled at the sign-on service of your company.',
    mayRetry: true,
  },
  provider_refused: {
    title: 'Single sign-on refused the gateway',
    text: `The gateway is not configured correctly at your company's sign-on service. ${ASK} The log names the reason.`,
    mayRetry: true,
  },
  invalid_answer: {
    title: 'The response could not be verified',
    text: `The response of your company's sign-on service could not be verified, so nobody was signed in. ${ASK}`,
    mayRetry: true,
  },
  expired: {
    title: 'This sign-in has expired',
    text: 'It took longer than ten minutes, or is already complete. Start again.',
    mayRetry: true,
  },
  other_browser: {
    title: 'This sign-in was started elsewhere',
    text: 'It was started in another browser or at another address of the gateway, or your browser blocked a cookie. Start again here.',
    mayRetry: true,
  },
  claim_missing: {
    title: 'Your account is missing information',
    text: `The sign-on service of your company did not send the information that the gateway needs. ${ASK}`,
    missing: 'Missing claim',
    mayRetry: true,
  },
  email_not_verified: {
    title: 'Your e-mail address is not verified',
    text: 'The sign-on service of your company does not say that your e-mail address is verified. Verify it there, or ask an administrator.',
    missing: 'Missing claim',
    mayRetry: true,
  },
  not_in_group: {
    title: 'You are not in the right group',
    text: 'Your sign-in worked, but your account does not have access to this gateway. Ask the person who manages groups at your company to add you.',
    missing: 'One of these groups is needed',
    mayRetry: true,
  },
  account_exists: {
    title: 'This e-mail address is taken',
    text: `There is another account with your e-mail address, and it cannot be linked to your sign-in. ${ASK}`,
    mayRetry: false,
  },
  account_disabled: {
    title: 'Your account is disabled',
    text: `Your account on this gateway was disabled. ${ASK}`,
    mayRetry: false,
  },
  too_many: {
    title: 'Too many sign-ins',
    text: 'Too many sign-ins were started from your network. Wait ten minutes and try again.',
    mayRetry: true,
  },
  not_configured: {
    title: 'Single sign-on is not set up',
    text: 'This gateway is not connected to a sign-on service.',
    mayRetry: false,
  },
};

const UNKNOWN: Reason = {
  title: 'Sign-in failed',
  text: `Something went wrong on our side. Try again; if it happens again, ask an administrator of the gateway.`,
  mayRetry: true,
};

function reasonOf(code: unknown): Reason {
  return (typeof code === 'string' && Object.hasOwn(REASONS, code) && REASONS[code]) || UNKNOWN;
}

/** A failed single sign-on: the reason, what is missing, and what to do next. */
export function SignInErrorPage() {
  const search = useSearch({ strict: false });
  const reason = reasonOf(search.reason);
  const requestId = /^req_\w{1,64}$/.test(String(search.request)) ? String(search.request) : null;
  return (
    <CardPage title={reason.title} description={reason.text}>
      <Stack gap="lg">
        {reason.missing && requestId && <Missing label={reason.missing} requestId={requestId} />}
        <NextSteps mayRetry={reason.mayRetry} />
        {requestId && <RequestId id={requestId} />}
      </Stack>
    </CardPage>
  );
}

/** The names come from the gateway and not from the address, which anyone can write. */
function Missing({ label, requestId }: { label: string; requestId: string }) {
  const { data } = useQuery({
    queryKey: ['sign-in-failure', requestId],
    queryFn: ({ signal }) => unwrap(api.GET('/api/oidc/failure', { signal })),
  });
  const failure = data?.failure;
  if (!failure || failure.requestId !== requestId || failure.missing.length === 0) return null;
  return (
    <Stack gap={6}>
      <Text size="sm" fw={500}>
        {label}
      </Text>
      <Group gap={6}>
        {failure.missing.map((name) => (
          <Badge key={name} color="gray" maw="100%">
            {name}
          </Badge>
        ))}
      </Group>
    </Stack>
  );
}

function NextSteps({ mayRetry }: { mayRetry: boolean }) {
  const { data } = useQuery(sessionQuery);
  const links = mayRetry ? (data?.signIn.oidc ?? []) : [];
  return (
    <Stack gap="xs">
      {links.map(({ id, label, startUrl }) => (
        <Button key={id} component="a" href={startUrl}>
          Try again with {label}
        </Button>
      ))}
      <ButtonLink to="/login" variant="default">
        Back to sign-in
      </ButtonLink>
    </Stack>
  );
}
