import { Notifications } from '@mantine/notifications';
import { useEffect } from 'react';
import { showCutTexts } from '../components/cut-texts.ts';

/**
 * Loaded after the first page: the area for notifications, which also shows those that were sent before, and tooltips for texts
 * that are cut off.
 */
export function NotificationArea() {
  useEffect(showCutTexts, []);
  return <Notifications position="bottom-right" />;
}
