import { type ComponentType, useEffect, useState } from 'react';

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
