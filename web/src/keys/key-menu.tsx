import Ban from 'icon:ban';
import ChartColumn from 'icon:chart-column';
import CirclePause from 'icon:circle-pause';
import CirclePlay from 'icon:circle-play';
import Copy from 'icon:copy';
import FileLock from 'icon:file-lock';
import Layers from 'icon:layers';
import Pencil from 'icon:pencil';
import RotateCw from 'icon:rotate-cw';
import ShieldCheck from 'icon:shield-check';
import { Link } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { mayAll, type SignedIn, useSession } from '../api/session';
import { copyText } from '../kit/copy-button';
import { notifyDone, notifyError } from '../kit/notify';
import { currentOpener } from '../kit/on-demand';
import type { MenuParts } from '../kit/overlays';
import type { SearchParams } from '../kit/search-params';
import type { KeyDialog } from './key-dialogs';
import { type KeyView, setDisabled } from './keys-api';
import type { KeyProject } from './owner-choice';

interface KeyMenuProps {
  parts: MenuParts;
  apiKey: KeyView;
  /** Whether the person can switch on its content log. */
  mayStore: boolean;
  onOpen: (dialog: KeyDialog) => void;
}

/** The actions of a key. */
export function KeyMenu({ parts: Menu, apiKey: key, mayStore, onOpen }: KeyMenuProps) {
  const session = useSession();
  const isRevoked = key.status === 'revoked';
  return (
    <>
      {!isRevoked && (
        <Menu.Item leftSection={<Pencil size={15} aria-hidden="true" />} onClick={() => onOpen({ kind: 'edit', key })}>
          Edit
        </Menu.Item>
      )}
      <Menu.Item leftSection={<Copy size={15} aria-hidden="true" />} onClick={() => void copyId(key)}>
        Copy id
      </Menu.Item>
      <Menu.Item
        leftSection={<ChartColumn size={15} aria-hidden="true" />}
        renderRoot={(props) => <Link {...props} to="/usage" search={usageOf(key, session)} />}
      >
        View usage
      </Menu.Item>
      {!isRevoked && (
        <>
          <Menu.Divider />
          {key.status === 'active' && key.issuer === null && (
            <Menu.Item
              leftSection={<RotateCw size={15} aria-hidden="true" />}
              onClick={() => onOpen({ kind: 'rotate', key })}
            >
              Rotate
            </Menu.Item>
          )}
          <ContentItem parts={Menu} apiKey={key} mayStore={mayStore} onOpen={onOpen} />
          <CacheItem parts={Menu} apiKey={key} onOpen={onOpen} />
          {(mayAll(session, 'guards.write') || key.project !== null) && (
            <Menu.Item
              leftSection={<ShieldCheck size={15} aria-hidden="true" />}
              onClick={() => onOpen({ kind: 'guards', key })}
            >
              Guards
            </Menu.Item>
          )}
          <DisableItem parts={Menu} apiKey={key} />
          <Menu.Item
            color="red"
            leftSection={<Ban size={15} aria-hidden="true" />}
            onClick={() => onOpen({ kind: 'revoke', keys: [key] })}
          >
            Revoke
          </Menu.Item>
        </>
      )}
    </>
  );
}

/** Only the owner, or a manager of its project, can switch it on. */
function ContentItem({ parts: Menu, apiKey: key, mayStore, onOpen }: KeyMenuProps) {
  const { contentLogDays } = useSession();
  const maySwitchOn = contentLogDays !== null && mayStore;
  if (!key.logsContent && !maySwitchOn) return null;
  return (
    <Menu.Item leftSection={<FileLock size={15} aria-hidden="true" />} onClick={() => onOpen({ kind: 'content', key })}>
      {key.logsContent ? 'Stop storing content' : 'Store prompts and answers'}
    </Menu.Item>
  );
}

/** The cache needs the encryption key of the content log. */
function CacheItem({ parts: Menu, apiKey: key, onOpen }: Pick<KeyMenuProps, 'parts' | 'apiKey' | 'onOpen'>) {
  if (useSession().contentLogDays === null) return null;
  return (
    <Menu.Item leftSection={<Layers size={15} aria-hidden="true" />} onClick={() => onOpen({ kind: 'cache', key })}>
      Cache
    </Menu.Item>
  );
}

/** The usage page, for this key. */
function usageOf({ id, owner, project }: KeyView, session: SignedIn): SearchParams {
  const isOther = owner.id !== session.user.id && mayAll(session, 'usage.read');
  return { keys: id, ...(project && { projects: project.id }), ...(isOther && { scope: 'all' }) };
}

function DisableItem({ parts: Menu, apiKey: key }: Pick<KeyMenuProps, 'parts' | 'apiKey'>) {
  const isDisabled = key.status === 'disabled';
  const Icon = isDisabled ? CirclePlay : CirclePause;
  return (
    <Menu.Item leftSection={<Icon size={15} aria-hidden="true" />} onClick={() => void toggle(key)}>
      {isDisabled ? 'Enable' : 'Disable'}
    </Menu.Item>
  );
}

async function toggle(key: KeyView): Promise<void> {
  const disabled = key.status !== 'disabled';
  try {
    await setDisabled(key, disabled);
    const undo = () =>
      void setDisabled({ ...key, status: disabled ? 'disabled' : 'active' }, !disabled).catch(notifyError);
    notifyDone(`${key.name} is ${disabled ? 'disabled' : 'enabled'}`, undo);
  } catch (error) {
    notifyError(error);
  }
}

async function copyId({ id }: KeyView): Promise<void> {
  if (await copyText(id)) notifyDone('Id copied');
  else notifyError(new Error(`The browser did not allow copying. The id is ${id}.`));
}

/**
 * Loaded on demand, because its forms are larger than a page's code. It stays mounted after it was opened, to fade out.
 */
const KeyDialogs = lazy(() => import('./key-dialogs').then((module) => ({ default: module.KeyDialogs })));

interface KeyDialogsState {
  dialog: KeyDialog | null;
  open: (dialog: KeyDialog) => void;
  /** Opens a dialog without an element that gets the focus back. */
  show: (dialog: KeyDialog | null) => void;
  /** The dialogs, to be rendered on the page. */
  element: ReactNode;
}

/** The dialogs of a page with keys. `newName`: for a new key. */
export function useKeyDialogs({ newName, project }: { newName: string; project?: KeyProject }): KeyDialogsState {
  const [dialog, show] = useState<KeyDialog | null>(null);
  const [isRequested, setRequested] = useState(false);
  if (dialog && !isRequested) setRequested(true);
  const [opener, setOpener] = useState<HTMLElement | null>(null);
  const open = (next: KeyDialog) => {
    setOpener(currentOpener());
    show(next);
  };
  const element = isRequested && (
    <Suspense fallback={null}>
      <KeyDialogs newName={newName} {...(project && { project })} dialog={dialog} opener={opener} onChange={show} />
    </Suspense>
  );
  return { dialog, open, show, element };
}
