import { Button, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { messageOf } from '../../api/api-error';
import { DialogEnd } from '../dialog-end';
import { notifyDone } from '../notify';
import { RelativeTime } from '../relative-time';
import { endPrevious, type KeyView } from './keys-api';

interface EndPreviousProps {
  apiKey: KeyView;
  onClose: () => void;
}

/** Asks before the previous secret of a key is ended. */
export function EndPrevious({ apiKey: { id, display, previous }, onClose }: EndPreviousProps) {
  const [isBusy, setBusy] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const end = async () => {
    setBusy(true);
    setFault(null);
    try {
      await endPrevious(id);
      notifyDone('The previous secret no longer works');
      onClose();
    } catch (reason) {
      setFault(messageOf(reason));
      setBusy(false);
    }
  };
  return (
    <Stack gap="md">
      <Text size="sm" component="div">
        <b>{previous?.display}</b>, last used: <RelativeTime value={previous?.lastUsed?.at} never="never" />.
      </Text>
      <Text size="sm">
        All requests with it are refused within a second. The current secret, {display}, keeps working. This cannot be
        undone.
      </Text>
      <DialogEnd fault={fault} onCancel={onClose} isCancelFirst>
        <Button color="red.8" loading={isBusy} onClick={end}>
          End now
        </Button>
      </DialogEnd>
    </Stack>
  );
}
