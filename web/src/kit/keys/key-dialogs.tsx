import { Modal } from '@mantine/core';
import { useState } from 'react';
import { returnFocus } from '../opener';
import { ContentLog } from './content-log';
import { CreateKey } from './create-key';
import { NewKey } from './created-key';
import { DisableKeys } from './disable-keys';
import { EditKey } from './edit-key';
import { EndPrevious } from './end-previous';
import type { KeyProject } from './key-owner';
import type { CreatedKey, KeyView } from './keys-api';
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
  | { kind: 'created'; made: CreatedKey };

/** Dialogs that confirm an action. */
const ASKING: readonly KeyDialog['kind'][] = ['revoke', 'disable', 'end-previous'];

interface KeyDialogsProps {
  /** The suggested name of a new key. */
  newName: string;
  /** Set on the page of a project. */
  project?: KeyProject;
  dialog: KeyDialog | null;
  /** The element that gets the focus back. */
  opener: HTMLElement | null;
  onChange: (dialog: KeyDialog | null) => void;
}

/** One dialog for both steps: the form, and the key that it creates. */
export function KeyDialogs({ newName, project, dialog, opener, onChange }: KeyDialogsProps) {
  const shown = useLastDialog(dialog);
  const close = () => onChange(null);
  const isCreated = dialog?.kind === 'created';
  return (
    <Modal
      opened={dialog !== null}
      onClose={close}
      title={shown && titleOf(shown)}
      size={shown?.kind === 'created' ? 'xl' : 'lg'}
      role={shown && ASKING.includes(shown.kind) ? 'alertdialog' : undefined}
      withCloseButton={!isCreated}
      closeOnEscape={!isCreated}
      closeOnClickOutside={!isCreated}
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
  const showCreated = (made: CreatedKey) => onChange({ kind: 'created', made });
  switch (dialog.kind) {
    case 'create':
      return <CreateKey newName={newName} {...(project && { project })} onCreated={showCreated} onClose={onClose} />;
    case 'edit':
      return <EditKey apiKey={dialog.key} onClose={onClose} />;
    case 'rotate':
      return <RotateKey apiKey={dialog.key} onRotated={showCreated} onClose={onClose} />;
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
    case 'created':
      return <NewKey made={dialog.made} onClose={onClose} />;
  }
}

/** The dialog, also while it fades out, except one with a key, which is forgotten immediately. */
function useLastDialog(dialog: KeyDialog | null): KeyDialog | null {
  const [last, setLast] = useState(dialog);
  if (dialog && dialog !== last) setLast(dialog);
  if (!dialog && last?.kind === 'created') setLast(null);
  return dialog ?? (last?.kind === 'created' ? null : last);
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
    case 'created':
      return `${dialog.made.name} is ready`;
  }
}
