import { Badge, Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { api, unwrap } from '../../api/client';
import { sessionQuery } from '../../api/session';
import { ButtonLink } from '../../kit/links';
import { RequestId } from '../../kit/request-id';
import { CardPage } from '../../shell/card-page';
import { reasonOf } from './reasons';

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
