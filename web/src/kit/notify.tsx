import { type ComponentType, type MouseEvent, useEffect, useState } from 'react';
import { downloadFile } from '../api/client';

type ToastParts = typeof import('./toasts');

let mount: (Toasts: ComponentType) => void = () => undefined;

/** A short confirmation, with Undo where possible. */
export function notifyDone(message: string, undo?: () => void): void {
  withToasts(({ showDone }) => showDone(message, undo));
}

/** Why something failed, with the request's id. */
export function notifyError(error: unknown): void {
  withToasts(({ showError }) => showError(error));
}

/** If the code cannot be loaded, for example after an update of the gateway, the page goes on without toasts. */
function withToasts(show: (parts: ToastParts) => void): void {
  import('./toasts').then(
    (parts) => {
      mount(parts.Toasts);
      show(parts);
    },
    () => undefined,
  );
}

/** The place of all toasts; their code is loaded with the first one. */
export function ToastsOnDemand() {
  const [toasts, setToasts] = useState<{ Toasts: ComponentType } | null>(null);
  useEffect(() => {
    mount = (Toasts) => setToasts((known) => known ?? { Toasts });
  }, []);
  return toasts && <toasts.Toasts />;
}

/** The click handler for a link to an export, which says why there is no file; one export at a time. */
export function useDownload() {
  const [isBusy, setBusy] = useState(false);
  const download = (event: MouseEvent<HTMLAnchorElement>) => {
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    downloadFile(event.currentTarget.href)
      .catch(notifyError)
      .finally(() => setBusy(false));
  };
  return { isBusy, download };
}
