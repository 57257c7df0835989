import { Button } from '@mantine/core';
import { useState } from 'react';
import { messageOf } from '../../api/api-error';
import { notifyDone, notifyError } from '../../kit/notify';
import type { KeyDialog } from './key-dialogs';
import { forEachKey, type KeyView, setDisabled } from './keys-api';

interface BulkActionsProps {
  /** The ticked ones. */
  keys: readonly KeyView[];
  clear: () => void;
  onOpen: (dialog: KeyDialog) => void;
}

/** What can be done with several keys at once; those that it does not fit are left as they are. */
export function BulkActions({ keys, clear, onOpen }: BulkActionsProps) {
  const [isBusy, setBusy] = useState(false);
  const revocable = keys.filter(({ status }) => status !== 'revoked');
  const active = revocable.filter(({ status }) => status !== 'disabled');
  const disabled = revocable.filter(({ status }) => status === 'disabled');
  const set = async (some: readonly KeyView[], wish: boolean) => {
    setBusy(true);
    const { failed, reason } = await forEachKey(some, (key) => setDisabled(key, wish));
    setBusy(false);
    const verb = wish ? 'disabled' : 'enabled';
    if (failed > 0) return notifyError(new Error(`${failed} of ${some.length} not ${verb}: ${messageOf(reason)}`));
    notifyDone(some.length === 1 ? `1 key is ${verb}` : `${some.length} keys are ${verb}`);
    clear();
  };
  return (
    <>
      {active.length > 0 && (
        <Button size="compact-sm" variant="default" loading={isBusy} onClick={() => void set(active, true)}>
          Disable
        </Button>
      )}
      {disabled.length > 0 && (
        <Button size="compact-sm" variant="default" loading={isBusy} onClick={() => void set(disabled, false)}>
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
