import { t } from '@lingui/core/macro';
import { notifications } from '@mantine/notifications';
import { inSeconds } from '../api/request.ts';

const noticeId = 'rate-limit';

/** Shows that the page waits, as one notification for any number of requests. */
export function showRateLimit(waitMs: number): void {
  notifications.show({
    id: noticeId,
    color: 'yellow',
    title: t`Too many requests`,
    message: t`The service asks this page to wait. It goes on by itself in ${inSeconds(waitMs)}.`,
    autoClose: waitMs,
  });
}
