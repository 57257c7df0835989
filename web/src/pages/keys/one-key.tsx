import SearchX from 'icon:search-x';
import { Card, SimpleGrid, Stack, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { LimitsLeft } from '../../activity/limits-left';
import { UsageAndErrors } from '../../activity/usage-and-errors';
import { ApiError } from '../../api/api-error';
import { projectQuery } from '../../api/projects';
import { useSession } from '../../api/session';
import { BackLink } from '../../kit/back-link';
import { EmptyState } from '../../kit/empty-state';
import type { KeyDialog } from '../../kit/keys/key-dialogs';
import { type KeyView, keyQuery } from '../../kit/keys/keys-api';
import { ButtonLink } from '../../kit/links';
import { onDemand } from '../../kit/on-demand';
import { currentOpener } from '../../kit/opener';
import { Page } from '../../kit/page';
import { QueryStates } from '../../kit/query-states';
import { KeyActions } from './key-actions';
import { KeyFacts } from './key-facts';
import { KeySecrets } from './key-secrets';

const KeyDialogs = onDemand(
  () => import('../../kit/keys/key-dialogs').then((module) => module.KeyDialogs),
  ({ dialog }) => dialog !== null,
  { dialog: null },
);

/** One key, for its owner and administrators. */
export function OneKey({ id }: { id: string }) {
  const { user } = useSession();
  const query = useQuery(keyQuery(id));
  const [dialog, setDialog] = useState<KeyDialog | null>(null);
  const [opener, setOpener] = useState<HTMLElement | null>(null);
  const open = (next: KeyDialog) => {
    setOpener(currentOpener());
    setDialog(next);
  };
  const key = query.data;
  const mayChange = useMayChange(key);
  if (query.error instanceof ApiError && query.error.status === 404) return <Unknown />;
  return (
    <Page
      title={key?.name ?? 'API key'}
      before={<BackLink to="/keys">API Keys</BackLink>}
      actions={
        key &&
        mayChange && (
          <KeyActions apiKey={key} mayStore={key.owner.id === user.id || key.project !== null} onOpen={open} />
        )
      }
    >
      <QueryStates query={query}>
        {(shown) => (
          <Stack gap="xl">
            <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
              <KeyFacts apiKey={shown} />
              <Limits apiKey={shown} />
            </SimpleGrid>
            <KeySecrets
              keyId={shown.id}
              onEnd={mayChange ? () => open({ kind: 'end-previous', key: shown }) : undefined}
            />
            <UsageAndErrors whose={{ key: shown.id, project: shown.project?.id ?? null }} />
          </Stack>
        )}
      </QueryStates>
      <KeyDialogs newName="" dialog={dialog} opener={opener} onChange={setDialog} />
    </Page>
  );
}

/** Members of a project who are not managers see its keys but cannot change them. */
function useMayChange(key: KeyView | undefined): boolean {
  const { data: project } = useQuery({ ...projectQuery(key?.project?.id ?? ''), enabled: key?.project != null });
  return key !== undefined && (key.project === null || project?.canManage === true);
}

function Limits({ apiKey: { budgets, rates } }: { apiKey: KeyView }) {
  return (
    <Card>
      <Title order={2} size="h2" mb="md">
        Limits and what is left
      </Title>
      <LimitsLeft
        budgets={budgets}
        rates={rates}
        none="The key has no limits of its own. The limits of its owner apply."
      />
    </Card>
  );
}

function Unknown() {
  return (
    <Page title="API key" before={<BackLink to="/keys">API Keys</BackLink>}>
      <EmptyState
        icon={SearchX}
        title="Key not found"
        action={
          <ButtonLink to="/keys" variant="default">
            All keys
          </ButtonLink>
        }
      >
        It does not exist, it is not yours, or it is the temporary key of the playground.
      </EmptyState>
    </Page>
  );
}
