import { Button, Radio, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { messageOf } from '../../api/api-error';
import { DialogEnd } from '../dialog-end';
import { type CreatedKey, type KeyView, type Overlap, rotateKey } from './keys-api';

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
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const rotate = async () => {
    setBusy(true);
    setError(null);
    try {
      onRotated(await rotateKey(id, overlap));
    } catch (reason) {
      setError(reason);
      setBusy(false);
    }
  };
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
      <DialogEnd fault={error !== null ? messageOf(error) : null} onCancel={onClose}>
        <Button loading={isBusy} onClick={rotate}>
          Rotate key
        </Button>
      </DialogEnd>
    </Stack>
  );
}
