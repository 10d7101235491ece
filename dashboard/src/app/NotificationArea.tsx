import { Notifications } from '@mantine/notifications';

/** Where notifications are shown. What was told before it is there is kept, and shown then. */
export function NotificationArea() {
  return <Notifications position="bottom-right" />;
}
