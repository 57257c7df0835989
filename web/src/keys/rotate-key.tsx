import { Button, Radio, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useSession } from '../api/session';
import { contentLogText, DialogEnd } from '../kit/dialog';
import { RelativeTime } from '../kit/figures';
import { notifyDone } from '../kit/notify';
import { useSubmit } from '../kit/use-submit';
import { type CreatedKey, endPrevious, type KeyView, type Overlap, rotateKey, switchContentLog } from './keys-api';

interface EndPreviousProps {
  apiKey: KeyView;
  onClose: () => void;
}

/** Asks before the previous secret of a key is ended. */
export function EndPrevious({ apiKey: { id, display, previous }, onClose }: EndPreviousProps) {
  const end = useSubmit(async () => {
    await endPrevious(id);
    notifyDone('The previous secret no longer works');
    onClose();
  });
  return (
    <Stack gap="md">
      <Text size="sm" component="div">
        <b>{previous?.display}</b>, last used: <RelativeTime value={previous?.lastUsed?.at} never="never" />.
      </Text>
      <Text size="sm">
        All requests with it are refused within a second. The current secret, {display}, keeps working. This cannot be
        undone.
      </Text>
      <DialogEnd fault={end.fault} onCancel={onClose} isCancelFirst>
        <Button color="red.8" loading={end.isBusy} onClick={end.submit}>
          End now
        </Button>
      </DialogEnd>
    </Stack>
  );
}

const OVERLAPS: { value: Overlap; label: string; description: string }[] = [
  { value: '24h', label: 'For 24 hours', description: 'Enough time to replace it everywhere today.' },
  { value: '7d', label: 'For 7 days', description: 'For programs that are deployed weekly.' },
  { value: '1h', label: 'For 1 hour', description: 'For a single machine.' },
  {
    value: 'none',
    label: 'Not at all',
    description: 'Use this if the old key may have leaked: it stops working within a second.',
  },
];

interface RotateKeyProps {
  apiKey: KeyView;
  onRotated: (rotated: CreatedKey) => void;
  onClose: () => void;
}

export function RotateKey({ apiKey: { id, name, display, previous }, onRotated, onClose }: RotateKeyProps) {
  const [overlap, setOverlap] = useState<Overlap>('24h');
  const rotate = useSubmit(async () => onRotated(await rotateKey(id, overlap)));
  return (
    <Stack gap="md">
      <Text size="sm">
        <b>{name}</b> gets a new key immediately. Its name, limits, usage and expiry stay.
        {previous && ` The previous key, ${previous.display}, stops working now.`}
      </Text>
      <Radio.Group
        label={`How long should the current key, ${display}, keep working?`}
        value={overlap}
        onChange={(value) => setOverlap(value as Overlap)}
      >
        <Stack gap="xs" mt="xs">
          {OVERLAPS.map(({ value, ...texts }, index) => (
            <Radio key={value} value={value} {...texts} data-autofocus={index === 0 || undefined} />
          ))}
        </Stack>
      </Radio.Group>
      <DialogEnd fault={rotate.fault} onCancel={onClose}>
        <Button loading={rotate.isBusy} onClick={rotate.submit}>
          Rotate key
        </Button>
      </DialogEnd>
    </Stack>
  );
}

interface ContentLogProps {
  apiKey: KeyView;
  onClose: () => void;
}

/** Asks before the content log of a key is switched on or off. */
export function ContentLog({ apiKey, onClose }: ContentLogProps) {
  const { contentLogDays } = useSession();
  const { name, logsContent, project } = apiKey;
  const change = useSubmit(async () => {
    await switchContentLog(apiKey, !logsContent);
    notifyDone(`The content log of ${name} is ${logsContent ? 'off' : 'on'}`);
    onClose();
  });
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
      <DialogEnd fault={change.fault} onCancel={onClose} isCancelFirst>
        <Button loading={change.isBusy} onClick={change.submit}>
          {logsContent ? 'Stop storing' : 'Store prompts and answers'}
        </Button>
      </DialogEnd>
    </Stack>
  );
}
