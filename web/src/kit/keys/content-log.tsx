import { Button, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { messageOf } from '../../api/api-error';
import { useSession } from '../../api/session';
import { contentLogText } from '../content-log-text';
import { DialogEnd } from '../dialog-end';
import { notifyDone } from '../notify';
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
  const { name, logsContent, project } = apiKey;
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
        {contentLogText({
          isOn: logsContent,
          whose: 'this key',
          readers: `${project ? 'Managers of the project' : 'You'} and administrators`,
          days: contentLogDays ?? 0,
        })}
      </Text>
      <DialogEnd fault={fault} onCancel={onClose} isCancelFirst>
        <Button loading={isBusy} onClick={change}>
          {logsContent ? 'Stop storing' : 'Store prompts and answers'}
        </Button>
      </DialogEnd>
    </Stack>
  );
}
