import { Button, List, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { messageOf } from '../api/api-error';
import { DialogEnd } from '../kit/dialog';
import { RelativeTime } from '../kit/figures';
import { notifyDone } from '../kit/notify';
import { useSubmit } from '../kit/use-submit';
import { userLabel } from '../kit/words';
import { requestsText } from './key-columns';
import { activityQuery, callsQuery, changeKeys, type KeyView, notifyChanged } from './keys-api';

const SHOWN = 8;

/** The keys of an action: their owners, and whether they are in use. */
function KeyList({ keys }: { keys: readonly KeyView[] }) {
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

interface DisableKeysProps {
  keys: readonly KeyView[];
  onDisabled: () => void;
  onClose: () => void;
}

/** Asks before several keys are disabled; the toast can undo it. */
export function DisableKeys({ keys, onDisabled, onClose }: DisableKeysProps) {
  const disable = useSubmit(
    async () => {
      await changeKeys(keys, 'disable');
      notifyChanged(keys, 'disable');
      onDisabled();
    },
    (error) => `Nothing was changed: ${messageOf(error)}`,
  );
  return (
    <Stack gap="md">
      <KeyList keys={keys} />
      <Text size="sm">Their requests are refused until the keys are enabled again.</Text>
      <DialogEnd fault={disable.fault} onCancel={onClose} isCancelFirst>
        <Button loading={disable.isBusy} onClick={disable.submit}>
          {keys.length === 1 ? 'Disable key' : `Disable ${keys.length} keys`}
        </Button>
      </DialogEnd>
    </Stack>
  );
}

interface RevokeKeysProps {
  keys: readonly KeyView[];
  onRevoked: () => void;
  onClose: () => void;
}

/** Asks before keys are revoked, and shows whether they are still in use. */
export function RevokeKeys({ keys, onRevoked, onClose }: RevokeKeysProps) {
  const [first, ...others] = keys;
  const what = first && others.length === 0 ? first.name : `${keys.length} keys`;
  const revoke = useSubmit(
    async () => {
      await changeKeys(keys, 'revoke');
      notifyDone(others.length === 0 ? `${what} is revoked` : `${what} are revoked`);
      onRevoked();
    },
    (error) => (others.length === 0 ? messageOf(error) : `Nothing was revoked: ${messageOf(error)}`),
  );
  return (
    <Stack gap="md">
      {first && others.length === 0 ? <Activity apiKey={first} /> : <KeyList keys={keys} />}
      <Text size="sm">
        Requests with {others.length === 0 ? 'this key' : 'these keys'} are refused within a second. This cannot be
        undone. To pause a key, disable it instead.
      </Text>
      <DialogEnd fault={revoke.fault} onCancel={onClose} isCancelFirst>
        <Button color="red.8" loading={revoke.isBusy} onClick={revoke.submit}>
          {others.length === 0 ? 'Revoke key' : `Revoke ${keys.length} keys`}
        </Button>
      </DialogEnd>
    </Stack>
  );
}

function Activity({ apiKey: { id, name, display } }: { apiKey: KeyView }) {
  const { data, error } = useQuery(activityQuery(id));
  return (
    <Stack gap={4}>
      <Text size="sm">
        <b>{name}</b> ({display})
      </Text>
      {data ? (
        <Text size="sm" c={data.callsLast24h > 0 ? 'var(--console-warn)' : 'dimmed'} aria-live="polite">
          {data.lastUsed ? (
            <>
              Last used <RelativeTime value={data.lastUsed.at} />
            </>
          ) : (
            'Never used'
          )}
          , {requestsText(data.callsLast24h)} in the last 24 hours.
        </Text>
      ) : error ? (
        <Text size="sm" c="dimmed">
          Could not check whether it is still in use: {messageOf(error)}
        </Text>
      ) : (
        <Skeleton h={18} w="70%" />
      )}
    </Stack>
  );
}
