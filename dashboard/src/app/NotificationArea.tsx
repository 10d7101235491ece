import { Notifications } from '@mantine/notifications';
import { useEffect } from 'react';
import { showCutTexts } from '../components/cut-texts.ts';

/**
 * What is above all pages and may come after the first one: notifications, those sent before it is mounted too, and
 * tooltips for texts that are cut off.
 */
export function NotificationArea() {
  useEffect(showCutTexts, []);
  return <Notifications position="bottom-right" />;
}
