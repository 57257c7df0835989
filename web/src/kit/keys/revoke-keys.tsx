import { Button, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { messageOf } from '../../api/api-error';
import { DialogEnd } from '../dialog-end';
import { notifyDone } from '../notify';
import { RelativeTime } from '../relative-time';
import { requestsText } from './key-columns';
import { KeyList } from './key-list';
import { activityQuery, changeKeys, type KeyView } from './keys-api';

interface RevokeKeysProps {
  keys: readonly KeyView[];
  onRevoked: () => void;
  onClose: () => void;
}

/** Asks before keys are revoked, and shows whether they are still in use. */
export function RevokeKeys({ keys, onRevoked, onClose }: RevokeKeysProps) {
  const [isBusy, setBusy] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const [first, ...others] = keys;
  const what = first && others.length === 0 ? first.name : `${keys.length} keys`;
  const revoke = async () => {
    setBusy(true);
    setFault(null);
    try {
      await changeKeys(keys, 'revoke');
      notifyDone(others.length === 0 ? `${what} is revoked` : `${what} are revoked`);
      onRevoked();
    } catch (reason) {
      setFault(others.length === 0 ? messageOf(reason) : `Nothing was revoked: ${messageOf(reason)}`);
      setBusy(false);
    }
  };
  return (
    <Stack gap="md">
      {first && others.length === 0 ? <Activity apiKey={first} /> : <KeyList keys={keys} />}
      <Text size="sm">
        Requests with {others.length === 0 ? 'this key' : 'these keys'} are refused within a second. This cannot be
        undone. To pause a key, disable it instead.
      </Text>
      <DialogEnd fault={fault} onCancel={onClose} isCancelFirst>
        <Button color="red.8" loading={isBusy} onClick={revoke}>
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
