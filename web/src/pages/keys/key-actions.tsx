import Ellipsis from 'icon:ellipsis';
import { ActionIcon, Button } from '@mantine/core';
import { DropMenu } from '../../kit/drop-menu';
import type { KeyDialog } from '../../kit/keys/key-dialogs';
import { KeyMenu } from '../../kit/keys/key-menu';
import type { KeyView } from '../../kit/keys/keys-api';

interface KeyActionsProps {
  apiKey: KeyView;
  /** Whether the person can switch on its content log. */
  mayStore: boolean;
  onOpen: (dialog: KeyDialog) => void;
}

/** The most important actions as buttons, and all of them in a menu. */
export function KeyActions({ apiKey: key, mayStore, onOpen }: KeyActionsProps) {
  return (
    <>
      {key.status !== 'revoked' && (
        <>
          <Button variant="default" onClick={() => onOpen({ kind: 'edit', key })}>
            Edit
          </Button>
          {key.status === 'active' && (
            <Button variant="default" onClick={() => onOpen({ kind: 'rotate', key })}>
              Rotate
            </Button>
          )}
          <Button variant="light" color="red" onClick={() => onOpen({ kind: 'revoke', keys: [key] })}>
            Revoke
          </Button>
        </>
      )}
      <DropMenu
        position="bottom-end"
        target={
          <ActionIcon size={36} aria-label={`More actions for ${key.name}`}>
            <Ellipsis size={16} aria-hidden="true" />
          </ActionIcon>
        }
      >
        {(parts) => <KeyMenu parts={parts} apiKey={key} mayStore={mayStore} onOpen={onOpen} />}
      </DropMenu>
    </>
  );
}
