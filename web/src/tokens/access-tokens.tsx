import Plus from 'icon:plus';
import { Button, Group, Stack, Text } from '@mantine/core';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { RelativeTime } from '../kit/figures';
import { notifyDone } from '../kit/notify';
import { onDemand } from '../kit/on-demand';
import { QueryStates } from '../kit/states';
import { StatusBadge } from '../kit/status-badge';
import { type AccessToken, type Permission, revokeToken, TOKENS_KEY, tokensQuery } from './tokens-api';

const CreateTokenDialog = onDemand(
  () => import('./token-dialogs').then((module) => module.CreateTokenDialog),
  ({ opened }) => opened,
  { opened: false },
);
const ConfirmDialog = onDemand(
  () => import('../kit/dialog').then((module) => module.ConfirmDialog),
  ({ opened }) => opened,
  { opened: false },
);

interface AccessTokensProps {
  /** The owner; missing: oneself. */
  serviceAccountId?: string;
  /** The scopes that a new token can have. */
  scopes: readonly Permission[];
}

/** The access tokens of a person or a service account. */
export function AccessTokens({ serviceAccountId, scopes }: AccessTokensProps) {
  const query = useInfiniteQuery(tokensQuery(serviceAccountId));
  const queries = useQueryClient();
  const [isCreating, setCreating] = useState(false);
  const [revoked, setRevoked] = useState<AccessToken | null>(null);
  const [isQuerying, setRequesting] = useState(false);
  const reload = () => queries.invalidateQueries({ queryKey: TOKENS_KEY });
  const revoke = async () => {
    if (!revoked) return;
    await revokeToken(revoked.id);
    notifyDone(`${revoked.name} was revoked.`);
    await reload();
  };
  return (
    <QueryStates query={query}>
      {({ pages }) => (
        <Stack gap="md">
          <TokenList
            tokens={pages.flatMap(({ items }) => items)}
            onRevoke={(token) => {
              setRevoked(token);
              setRequesting(true);
            }}
          />
          <Group gap="xs">
            <Button
              leftSection={<Plus size={16} aria-hidden="true" />}
              disabled={scopes.length === 0}
              onClick={() => setCreating(true)}
            >
              Create access token
            </Button>
            {query.hasNextPage && (
              <Button variant="default" loading={query.isFetchingNextPage} onClick={() => query.fetchNextPage()}>
                Show more
              </Button>
            )}
          </Group>
          <CreateTokenDialog
            opened={isCreating}
            serviceAccountId={serviceAccountId}
            scopes={scopes}
            onCreated={() => void reload()}
            onClose={() => setCreating(false)}
          />
          <ConfirmDialog
            opened={isQuerying}
            onClose={() => setRequesting(false)}
            title={`Revoke ${revoked?.name}?`}
            confirmLabel="Revoke"
            isDangerous
            onConfirm={revoke}
          >
            Programs that use {revoked?.display} are refused immediately. This cannot be undone.
          </ConfirmDialog>
        </Stack>
      )}
    </QueryStates>
  );
}

const TONES = { active: 'good', expired: 'neutral', revoked: 'neutral' } as const;

interface TokenListProps {
  tokens: readonly AccessToken[];
  onRevoke: (token: AccessToken) => void;
}

function TokenList({ tokens, onRevoke }: TokenListProps) {
  if (tokens.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        No access tokens yet.
      </Text>
    );
  }
  return (
    <Stack component="ul" gap="sm" m={0} p={0} style={{ listStyle: 'none' }} aria-label="Access tokens">
      {tokens.map((token) => (
        <Group component="li" key={token.id} justify="space-between" wrap="nowrap" gap="md">
          <Stack gap={2} style={{ minWidth: 0, overflowWrap: 'anywhere' }}>
            <Group gap="xs">
              <Text size="sm" fw={500}>
                {token.name}
              </Text>
              <StatusBadge tone={TONES[token.status]}>{token.status}</StatusBadge>
            </Group>
            <Text size="xs" c="dimmed">
              {token.display} · {token.scopes.join(', ')}
              {token.addresses && ` · only from ${token.addresses.join(', ')}`}
            </Text>
            <Text size="xs" c="dimmed" component="div">
              Expires <RelativeTime value={token.expiresAt} as="date" /> · last used{' '}
              <RelativeTime value={token.lastUsed?.at} never="never" />
              {[token.lastUsed?.address, token.lastUsed?.userAgent].filter(Boolean).map((text) => ` · ${text}`)}
            </Text>
          </Stack>
          {token.status === 'active' && (
            <Button
              size="compact-sm"
              variant="default"
              style={{ flex: 'none' }}
              onClick={() => onRevoke(token)}
              aria-label={`Revoke ${token.name}`}
            >
              Revoke
            </Button>
          )}
        </Group>
      ))}
    </Stack>
  );
}
