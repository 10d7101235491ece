import { Notifications } from '@mantine/notifications';

/** The area for notifications. Notifications sent before it is mounted are shown once it is. */
export function NotificationArea() {
  return <Notifications position="bottom-right" />;
}
