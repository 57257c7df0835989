import { Button } from '@mantine/core';
import { useState } from 'react';
import { notifyError } from '../kit/notify';
import type { KeyDialog } from './key-dialogs';
import { changeKeys, type KeyView, notifyChanged } from './keys-api';

interface BulkActionsProps {
  /** The selected keys. */
  keys: readonly KeyView[];
  clear: () => void;
  onOpen: (dialog: KeyDialog) => void;
}

/** Actions for several keys; they skip keys to which they do not apply. */
export function BulkActions({ keys, clear, onOpen }: BulkActionsProps) {
  const [isBusy, setBusy] = useState(false);
  const revocable = keys.filter(({ status }) => status !== 'revoked');
  const active = revocable.filter(({ status }) => status !== 'disabled');
  const disabled = revocable.filter(({ status }) => status === 'disabled');
  const enable = async () => {
    setBusy(true);
    try {
      await changeKeys(disabled, 'enable');
      notifyChanged(disabled, 'enable');
      clear();
    } catch (error) {
      notifyError(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      {active.length > 0 && (
        <Button
          size="compact-sm"
          variant="default"
          onClick={() => onOpen({ kind: 'disable', keys: active, onDisabled: clear })}
        >
          Disable
        </Button>
      )}
      {disabled.length > 0 && (
        <Button size="compact-sm" variant="default" loading={isBusy} onClick={enable}>
          Enable
        </Button>
      )}
      {revocable.length > 0 && (
        <Button
          size="compact-sm"
          variant="light"
          color="red"
          onClick={() => onOpen({ kind: 'revoke', keys: revocable, onRevoked: clear })}
        >
          Revoke
        </Button>
      )}
    </>
  );
}
