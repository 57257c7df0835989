import { Paper, Skeleton, Stack, Text, Title } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { api, unwrap } from '../../api/client';
import { CopyableId, Fact, Facts, RelativeTime } from '../../kit/figures';
import { formatNumber } from '../../kit/numbers';
import { TextLink } from '../../kit/page';
import { QueryStates } from '../../kit/states';
import { StatusBadge } from '../../kit/status-badge';

const scimQuery = queryOptions({
  queryKey: ['settings', 'scim'],
  queryFn: ({ signal }) => unwrap(api.GET('/api/settings/scim', { signal })),
});

/** Whether an identity provider can create and disable users, its address for that, and its last request. */
export function ScimStatus() {
  const query = useQuery(scimQuery);
  return (
    <section>
      <Title order={2} id="settings-scim" fz="md" mb="xs">
        Users from your identity provider (SCIM)
      </Title>
      <Paper p="md" aria-labelledby="settings-scim" role="group">
        <QueryStates query={query} skeleton={<Skeleton h={120} />}>
          {({ url, tokenEndsAt, lastRequestAt, lastRequestAddress, users, groups }) => (
            <Stack gap="sm">
              {tokenEndsAt === null && (
                <Text size="sm" c="dimmed">
                  To turn it on, create an access token with the scope <code>scim</code> under{' '}
                  <TextLink to="/account" size="sm">
                    Account
                  </TextLink>{' '}
                  and enter it at your identity provider with the address below.
                </Text>
              )}
              <Facts>
                <Fact name="State">
                  <StatusBadge tone={tokenEndsAt === null ? 'neutral' : 'good'}>
                    {tokenEndsAt === null ? 'Off: no access token' : 'On'}
                  </StatusBadge>
                </Fact>
                <Fact name="Address">
                  <CopyableId value={url} what="SCIM address" />
                </Fact>
                <Fact name="Last request">
                  <RelativeTime value={lastRequestAt} detail={lastRequestAddress ?? undefined} never="None so far" />
                </Fact>
                {tokenEndsAt !== null && (
                  <Fact name="Token ends">
                    <RelativeTime value={tokenEndsAt} />
                  </Fact>
                )}
                <Fact name="Provisioned">
                  {formatNumber(users)} {users === 1 ? 'user' : 'users'}, {formatNumber(groups)}{' '}
                  {groups === 1 ? 'group' : 'groups'}
                </Fact>
              </Facts>
            </Stack>
          )}
        </QueryStates>
      </Paper>
    </section>
  );
}
