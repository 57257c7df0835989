import { Button, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { messageOf } from '../../api/api-error';
import { useSession } from '../../api/session';
import { DialogEnd } from '../../kit/dialog-end';
import { notifyDone } from '../../kit/notify';
import { type KeyView, switchContentLog } from './keys-api';

interface ContentLogProps {
  apiKey: KeyView;
  onClose: () => void;
}

/** Asks before the content log of a key is switched on or off. */
export function ContentLog({ apiKey, onClose }: ContentLogProps) {
  const { contentLogDays } = useSession();
  const [isBusy, setBusy] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const { name, logsContent } = apiKey;
  const change = async () => {
    setBusy(true);
    setFault(null);
    try {
      await switchContentLog(apiKey, !logsContent);
      notifyDone(`The content log of ${name} is ${logsContent ? 'off' : 'on'}`);
      onClose();
    } catch (reason) {
      setFault(messageOf(reason));
      setBusy(false);
    }
  };
  return (
    <Stack gap="md">
      <Text size="sm">
        {logsContent
          ? 'New prompts and answers are no longer stored. Those that are stored stay until they expire.'
          : `The prompts and answers of all requests with this key will be stored, encrypted, for ${daysText(contentLogDays ?? 0)}. You and administrators can read them in the details of a request; the audit log records each look.`}
      </Text>
      <DialogEnd fault={fault} onCancel={onClose} isCancelFirst>
        <Button loading={isBusy} onClick={change}>
          {logsContent ? 'Stop storing' : 'Store prompts and answers'}
        </Button>
      </DialogEnd>
    </Stack>
  );
}

function daysText(days: number): string {
  if (days < 1) return `${Math.round(days * 24)} hours`;
  return days === 1 ? 'a day' : `${Math.round(days)} days`;
}
