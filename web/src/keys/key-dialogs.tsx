import { CacheForm } from '../kit/cache-form';
import { type DialogContent, DialogHost } from '../kit/dialog';
import { guardsDialog } from '../kit/guards-form';
import { NewKey } from './created-key';
import { CreateKey, EditKey } from './key-form-dialogs';
import type { CreatedKey, KeyView } from './keys-api';
import type { KeyProject } from './owner-choice';
import { DisableKeys, RevokeKeys } from './revoke-keys';
import { ContentLog, EndPrevious, RotateKey } from './rotate-key';

/** The content of the page's dialog. A created key exists only here. */
export type KeyDialog =
  | { kind: 'create' }
  | { kind: 'edit'; key: KeyView }
  | { kind: 'rotate'; key: KeyView }
  | { kind: 'end-previous'; key: KeyView }
  | { kind: 'content'; key: KeyView }
  | { kind: 'cache'; key: KeyView }
  | { kind: 'guards'; key: KeyView }
  | { kind: 'disable'; keys: readonly KeyView[]; onDisabled: () => void }
  | { kind: 'revoke'; keys: readonly KeyView[]; onRevoked?: () => void }
  | { kind: 'created'; made: CreatedKey };

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
  const onClose = () => onChange(null);
  const showCreated = (made: CreatedKey) => onChange({ kind: 'created', made });
  const closeAfter = (done?: () => void) => () => {
    done?.();
    onClose();
  };
  return (
    <DialogHost dialog={dialog} onClose={onClose} opener={opener}>
      {(shown) => ({ size: 'lg', ...contentOf(shown) })}
    </DialogHost>
  );

  function contentOf(shown: KeyDialog): DialogContent {
    switch (shown.kind) {
      case 'create': {
        const form = { newName, ...(project && { project }), onCreated: showCreated, onClose };
        return { title: 'Create an API key', content: <CreateKey {...form} /> };
      }
      case 'edit':
        return { title: `Edit ${shown.key.name}`, content: <EditKey apiKey={shown.key} onClose={onClose} /> };
      case 'rotate': {
        const content = <RotateKey apiKey={shown.key} onRotated={showCreated} onClose={onClose} />;
        return { title: `Rotate ${shown.key.name}`, content };
      }
      case 'end-previous': {
        const content = <EndPrevious apiKey={shown.key} onClose={onClose} />;
        return { title: 'End the previous secret?', role: 'alertdialog', content };
      }
      case 'cache': {
        const { id, name } = shown.key;
        return { title: `Cache of ${name}`, content: <CacheForm kind="keys" id={id} name={name} onClose={onClose} /> };
      }
      case 'guards':
        return guardsDialog({ kind: 'key', id: shown.key.id, name: shown.key.name, onClose });
      case 'content': {
        const title = shown.key.logsContent ? 'Stop storing prompts and answers?' : 'Store prompts and answers?';
        return { title, content: <ContentLog apiKey={shown.key} onClose={onClose} /> };
      }
      case 'disable': {
        const { keys, onDisabled } = shown;
        const content = <DisableKeys keys={keys} onDisabled={closeAfter(onDisabled)} onClose={onClose} />;
        return { title: `Disable ${these(keys)}?`, role: 'alertdialog', content };
      }
      case 'revoke': {
        const { keys, onRevoked } = shown;
        const content = <RevokeKeys keys={keys} onRevoked={closeAfter(onRevoked)} onClose={onClose} />;
        return { title: `Revoke ${these(keys)}?`, role: 'alertdialog', content };
      }
      case 'created':
        return {
          title: `${shown.made.name} is ready`,
          size: 'xl',
          withCloseButton: false,
          closeOnEscape: false,
          closeOnClickOutside: false,
          isSecret: true,
          content: <NewKey made={shown.made} onClose={onClose} />,
        };
    }
  }
}

function these({ length }: readonly KeyView[]): string {
  return length === 1 ? 'this key' : `${length} keys`;
}
