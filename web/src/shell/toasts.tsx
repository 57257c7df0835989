import '@mantine/notifications/styles.layer.css';
import { Notifications } from '@mantine/notifications';

/** Where the short messages of `notify` appear. */
export function Toasts() {
  return <Notifications position="bottom-right" limit={4} autoClose={6000} />;
}
