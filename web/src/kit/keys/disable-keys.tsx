import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { messageOf } from '../../api/api-error';
import { KeyList } from './key-list';
import { changeKeys, type KeyView, notifyChanged } from './keys-api';

interface DisableKeysProps {
  keys: readonly KeyView[];
  onDisabled: () => void;
  onClose: () => void;
}

/** Asks before several keys are disabled; the toast can undo it. */
export function DisableKeys({ keys, onDisabled, onClose }: DisableKeysProps) {
  const [isBusy, setBusy] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const disable = async () => {
    setBusy(true);
    setFault(null);
    try {
      await changeKeys(keys, 'disable');
      notifyChanged(keys, 'disable');
      onDisabled();
    } catch (reason) {
      setFault(messageOf(reason));
      setBusy(false);
    }
  };
  return (
    <Stack gap="md">
      <KeyList keys={keys} />
      <Text size="sm">Their requests are refused until the keys are enabled again.</Text>
      {fault && (
        <Alert color="red" role="alert" p="xs">
          Nothing was changed: {fault}
        </Alert>
      )}
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onClose} data-autofocus>
          Cancel
        </Button>
        <Button loading={isBusy} onClick={disable}>
          {keys.length === 1 ? 'Disable key' : `Disable ${keys.length} keys`}
        </Button>
      </Group>
    </Stack>
  );
}
