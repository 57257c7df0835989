import { Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useSession } from '../../api/session';
import { Page, TextLink } from '../../kit/page';
import { QueryStates } from '../../kit/states';
import { AccessTokens } from '../../tokens/access-tokens';
import { permissionsQuery } from '../../tokens/tokens-api';
import {
  type Account,
  accountQuery,
  PaidPlans,
  PasswordForm,
  ProfileForm,
  Section,
  SessionList,
} from './account-cards';

export function AccountPage() {
  const { payments } = useSession();
  const account = useQuery(accountQuery);
  return (
    <Page title="Account" description="Your profile, password and active sessions.">
      <Stack gap="lg" maw={760}>
        <Section title="Profile">
          <QueryStates query={account} skeleton={<FormSkeleton />}>
            {(data) => <ProfileForm account={data} />}
          </QueryStates>
        </Section>
        {payments && (
          <Section title="Paid plan" description="Bought and managed through Stripe.">
            <PaidPlans />
          </Section>
        )}
        <Section title="Password" description="Changing it signs you out everywhere else.">
          <QueryStates query={account} skeleton={<FormSkeleton />}>
            {(data) => (data.hasPassword ? <PasswordForm email={data.email} /> : <NoPassword account={data} />)}
          </QueryStates>
        </Section>
        <Section
          title="Access tokens"
          description="For programs that use this gateway’s API at /api, within your rights."
        >
          <OwnTokens />
        </Section>
        <Section title="Sessions" description="Browsers and clients that are signed in to this account.">
          <SessionList />
        </Section>
      </Stack>
    </Page>
  );
}

function OwnTokens() {
  const isAdmin = useSession().user.role === 'admin';
  const permissions = useQuery(permissionsQuery);
  return (
    <QueryStates query={permissions}>
      {(all) => (
        <Stack gap="md">
          <AccessTokens
            scopes={all.filter(({ roles }) =>
              roles.some(({ role }) => (isAdmin ? role === 'administrator' : role !== 'administrator')),
            )}
          />
          <Text size="sm">
            <TextLink to="/roles">Roles and permissions</TextLink>
          </Text>
        </Stack>
      )}
    </QueryStates>
  );
}

function NoPassword({ account }: { account: Account }) {
  return (
    <Text size="sm" c="dimmed">
      {account.source === 'oidc'
        ? 'You sign in with single sign-on, so there is no password to change here.'
        : 'Your account has no password. An administrator can give you a link to set one.'}
    </Text>
  );
}

function FormSkeleton() {
  return (
    <Stack gap="md" maw={420}>
      <Skeleton h={56} />
      <Skeleton h={56} />
    </Stack>
  );
}
