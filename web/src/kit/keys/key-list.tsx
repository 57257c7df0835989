import { List, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { RelativeTime } from '../relative-time';
import { userLabel } from '../user-label';
import { requestsText } from './key-columns';
import { callsQuery, type KeyView } from './keys-api';

const SHOWN = 8;

/** The keys of an action: their owners, and whether they are in use. */
export function KeyList({ keys }: { keys: readonly KeyView[] }) {
  const { data } = useQuery(callsQuery(keys.map(({ id }) => id)));
  const calls = new Map(data?.map(({ id, callsLast24h }) => [id, callsLast24h]));
  const rest = keys.length - SHOWN;
  return (
    <List size="sm" spacing={4}>
      {keys.slice(0, SHOWN).map(({ id, name, display, owner, lastUsed }) => (
        <List.Item key={id}>
          <b>{name}</b> ({display}) of {userLabel(owner)}
          <Text size="xs" c={calls.get(id) ? 'var(--console-warn)' : 'dimmed'}>
            {calls.has(id) && `${requestsText(calls.get(id) ?? 0)} in the last 24 hours, `}last used{' '}
            <RelativeTime value={lastUsed?.at} never="never" />
          </Text>
        </List.Item>
      ))}
      {rest > 0 && <List.Item>and {rest} more</List.Item>}
    </List>
  );
}
