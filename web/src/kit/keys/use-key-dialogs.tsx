import { lazy, type ReactNode, Suspense, useState } from 'react';
import { currentOpener } from '../opener';
import type { KeyDialog } from './key-dialogs';
import type { KeyProject } from './key-owner';

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
  const [isAsked, setAsked] = useState(false);
  if (dialog && !isAsked) setAsked(true);
  const [opener, setOpener] = useState<HTMLElement | null>(null);
  const open = (next: KeyDialog) => {
    setOpener(currentOpener());
    show(next);
  };
  const element = isAsked && (
    <Suspense fallback={null}>
      <KeyDialogs newName={newName} {...(project && { project })} dialog={dialog} opener={opener} onChange={show} />
    </Suspense>
  );
  return { dialog, open, show, element };
}
