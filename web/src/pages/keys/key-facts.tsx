import { Card, Stack, Title } from '@mantine/core';
import { useSession } from '../../api/session';
import { CopyableId } from '../../kit/copyable-id';
import { Fact, Facts } from '../../kit/facts';
import { KeyName } from '../../kit/keys/key-name';
import { stateOf, toneOf, wordsFor } from '../../kit/keys/key-state';
import classes from '../../kit/keys/keys.module.css';
import type { KeyView } from '../../kit/keys/keys-api';
import { TextLink } from '../../kit/links';
import { RelativeTime } from '../../kit/relative-time';
import { StatusBadge } from '../../kit/status-badge';
import { useNow } from '../../kit/use-now';
import { userLabel } from '../../kit/user-label';

/** The facts about a key, and what it can be used for. */
export function KeyFacts({ apiKey: key }: { apiKey: KeyView }) {
  const now = useNow();
  const state = stateOf(key, now);
  return (
    <Card>
      <Title order={2} size="h2" mb="md">
        About
      </Title>
      <Facts>
        <Fact name="Name">
          <KeyName apiKey={key} isLink={false} below={null} />
        </Fact>
        <Fact name="Key">
          <span className={classes.key}>{key.display}</span>
        </Fact>
        <Fact name="Status">
          <StatusBadge tone={toneOf(state)}>{wordsFor(state, key, now)}</StatusBadge>
        </Fact>
        <Fact name="Owner">
          <Owner owner={key.owner} />
        </Fact>
        {key.project && key.owner.kind !== 'project' && <Fact name="Project">{key.project.name}</Fact>}
        <Fact name="Models">{key.models === null ? 'All that its owner can use' : <Lines of={key.models} />}</Fact>
        <Fact name="Addresses">{key.addresses === null ? 'Any' : <Lines of={key.addresses} />}</Fact>
        {key.note !== '' && <Fact name="Note">{key.note}</Fact>}
        <Fact name="Created">
          <RelativeTime value={key.createdAt} as="date" />
        </Fact>
        <Fact name="Expires">
          <RelativeTime value={key.expiresAt} as="date" />
        </Fact>
        <Fact name="Last used">
          <RelativeTime value={key.lastUsed?.at} />
          {key.lastUsed?.model && `, model ${key.lastUsed.model}`}
        </Fact>
        <Fact name="Id">
          <CopyableId value={key.id} what="key id" />
        </Fact>
      </Facts>
    </Card>
  );
}

/** A project that owns a key has no page among the users. */
function Owner({ owner }: Pick<KeyView, 'owner'>) {
  const { user } = useSession();
  if (user.role !== 'admin' || owner.kind === 'project') return userLabel(owner);
  return (
    <TextLink to="/users/$id" params={{ id: owner.id }} inherit>
      {userLabel(owner)}
    </TextLink>
  );
}

function Lines({ of }: { of: readonly string[] }) {
  return (
    <Stack gap={2} className={classes.lines}>
      {of.map((line) => (
        <span key={line}>{line}</span>
      ))}
    </Stack>
  );
}
