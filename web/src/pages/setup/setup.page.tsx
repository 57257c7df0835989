import CircleCheck from 'icon:circle-check';
import Link2Off from 'icon:link-2-off';
import { useQuery } from '@tanstack/react-query';
import { api, unwrap } from '../../api/client';
import { EmptyState } from '../../kit/empty-state';
import { ButtonLink } from '../../kit/links';
import { QueryStates } from '../../kit/query-states';
import { useAddressToken } from '../../kit/use-address-token';
import { CardPage } from '../../shell/card-page';
import { SetupForm } from './setup-form';

/** The first page of a new gateway: creates the administrator. */
export function SetupPage() {
  const token = useAddressToken();
  const setup = useQuery({
    queryKey: ['setup'],
    queryFn: ({ signal }) => unwrap(api.GET('/api/setup', { signal })),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (setup.data && !setup.data.needed) return <Done />;
  if (setup.data && token === '') return <NoToken />;
  return (
    <CardPage title="Welcome to your gateway" description="Create the administrator account. It takes a minute.">
      <QueryStates query={setup}>{() => <SetupForm token={token} />}</QueryStates>
    </CardPage>
  );
}

function Done() {
  return (
    <CardPage title="Set up">
      <EmptyState
        icon={CircleCheck}
        title="The gateway is set up"
        action={<ButtonLink to="/login">Go to sign-in</ButtonLink>}
      >
        There is already an administrator.
      </EmptyState>
    </CardPage>
  );
}

function NoToken() {
  return (
    <CardPage title="Set up">
      <EmptyState icon={Link2Off} title="The link is incomplete">
        Open the whole “Set up” link that the gateway printed when it started. The command setup:link creates a new one.
      </EmptyState>
    </CardPage>
  );
}
