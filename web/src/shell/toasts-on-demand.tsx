import { useNotifications } from '@mantine/notifications';
import { type ComponentType, lazy, Suspense, useState } from 'react';

/** If its code cannot be loaded, for example after an update of the gateway, the page goes on without toasts. */
const Toasts = lazy(() =>
  import('./toasts').then(
    (module): { default: ComponentType } => ({ default: module.Toasts }),
    () => ({ default: () => null }),
  ),
);

/** Loaded with the first toast. */
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
