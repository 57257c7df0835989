import { useNotifications } from '@mantine/notifications';
import { type ComponentType, lazy, Suspense, useState } from 'react';

/** Where their code cannot be had, as after an update of the gateway, a toast is no reason to lose the page. */
const Toasts = lazy(() =>
  import('./toasts').then(
    (module): { default: ComponentType } => ({ default: module.Toasts }),
    () => ({ default: () => null }),
  ),
);

/** Not part of what a page loads: there from the first toast on. */
export function ToastsOnDemand() {
  const { notifications } = useNotifications();
  const [isNeeded, setNeeded] = useState(false);
  if (!isNeeded && notifications.length > 0) setNeeded(true);
  return isNeeded ? (
    <Suspense fallback={null}>
      <Toasts />
    </Suspense>
  ) : null;
}
