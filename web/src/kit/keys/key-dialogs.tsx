import { Modal } from '@mantine/core';
import { useState } from 'react';
import { returnFocus } from '../opener';
import { ContentLog } from './content-log';
import { CreateKey } from './create-key';
import { DisableKeys } from './disable-keys';
import { EditKey } from './edit-key';
import { EndPrevious } from './end-previous';
import type { KeyProject } from './key-owner';
import type { CreatedKey, KeyView } from './keys-api';
import { Once } from './once';
import { RevokeKeys } from './revoke-keys';
import { RotateKey } from './rotate-key';

/** The content of the page's dialog. A created key exists only here. */
export type KeyDialog =
  | { kind: 'create' }
  | { kind: 'edit'; key: KeyView }
  | { kind: 'rotate'; key: KeyView }
  | { kind: 'end-previous'; key: KeyView }
  | { kind: 'content'; key: KeyView }
  | { kind: 'disable'; keys: readonly KeyView[]; onDisabled: () => void }
  | { kind: 'revoke'; keys: readonly KeyView[]; onRevoked?: () => void }
  | { kind: 'once'; made: CreatedKey };

/** They ask before something stops working. */
const ASKING: readonly KeyDialog['kind'][] = ['revoke', 'disable', 'end-previous'];

interface KeyDialogsProps {
  /** For a new key. */
  newName: string;
  /** On the page of a project. */
  project?: KeyProject;
  dialog: KeyDialog | null;
  /** The element that gets the focus back. */
  opener: HTMLElement | null;
  onChange: (dialog: KeyDialog | null) => void;
}

/** One dialog for both steps: the form, and the key that it creates. */
export function KeyDialogs({ newName, project, dialog, opener, onChange }: KeyDialogsProps) {
  const shown = useLeaving(dialog);
  const close = () => onChange(null);
  const isOnce = dialog?.kind === 'once';
  return (
    <Modal
      opened={dialog !== null}
      onClose={close}
      title={shown && titleOf(shown)}
      size={shown?.kind === 'once' ? 'xl' : 'lg'}
      role={shown && ASKING.includes(shown.kind) ? 'alertdialog' : undefined}
      withCloseButton={!isOnce}
      closeOnEscape={!isOnce}
      closeOnClickOutside={!isOnce}
      returnFocus={false}
      onExitTransitionEnd={() => returnFocus(opener)}
    >
      {shown && <Content newName={newName} project={project} dialog={shown} onChange={onChange} onClose={close} />}
    </Modal>
  );
}

interface ContentProps {
  newName: string;
  project?: KeyProject | undefined;
  dialog: KeyDialog;
  onChange: (dialog: KeyDialog) => void;
  onClose: () => void;
}

function Content({ newName, project, dialog, onChange, onClose }: ContentProps) {
  const showOnce = (made: CreatedKey) => onChange({ kind: 'once', made });
  switch (dialog.kind) {
    case 'create':
      return <CreateKey newName={newName} {...(project && { project })} onCreated={showOnce} onClose={onClose} />;
    case 'edit':
      return <EditKey apiKey={dialog.key} onClose={onClose} />;
    case 'rotate':
      return <RotateKey apiKey={dialog.key} onRotated={showOnce} onClose={onClose} />;
    case 'end-previous':
      return <EndPrevious apiKey={dialog.key} onClose={onClose} />;
    case 'content':
      return <ContentLog apiKey={dialog.key} onClose={onClose} />;
    case 'disable': {
      const disabled = () => {
        dialog.onDisabled();
        onClose();
      };
      return <DisableKeys keys={dialog.keys} onDisabled={disabled} onClose={onClose} />;
    }
    case 'revoke': {
      const revoked = () => {
        dialog.onRevoked?.();
        onClose();
      };
      return <RevokeKeys keys={dialog.keys} onRevoked={revoked} onClose={onClose} />;
    }
    case 'once':
      return <Once made={dialog.made} onClose={onClose} />;
  }
}

/** The dialog, also while it fades out, except one with a key, which is forgotten immediately. */
function useLeaving(dialog: KeyDialog | null): KeyDialog | null {
  const [last, setLast] = useState(dialog);
  if (dialog && dialog !== last) setLast(dialog);
  if (!dialog && last?.kind === 'once') setLast(null);
  return dialog ?? (last?.kind === 'once' ? null : last);
}

function titleOf(dialog: KeyDialog): string {
  switch (dialog.kind) {
    case 'create':
      return 'Create an API key';
    case 'edit':
      return `Edit ${dialog.key.name}`;
    case 'rotate':
      return `Rotate ${dialog.key.name}`;
    case 'end-previous':
      return 'End the previous secret?';
    case 'content':
      return dialog.key.logsContent ? 'Stop storing prompts and answers?' : 'Store prompts and answers?';
    case 'disable':
      return dialog.keys.length === 1 ? 'Disable this key?' : `Disable ${dialog.keys.length} keys?`;
    case 'revoke':
      return dialog.keys.length === 1 ? 'Revoke this key?' : `Revoke ${dialog.keys.length} keys?`;
    case 'once':
      return `${dialog.made.name} is ready`;
  }
}
