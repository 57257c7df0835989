import '@mantine/notifications/styles.layer.css';
import { Notifications } from '@mantine/notifications';

/** The short messages of `notify`. */
export function Toasts() {
  return <Notifications position="bottom-right" limit={4} autoClose={6000} />;
}
