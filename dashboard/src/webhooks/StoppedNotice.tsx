import { plural } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Box } from '@mantine/core';
import type { Webhook } from '../api/webhooks.ts';
import { Notice } from '../components/Notice.tsx';
import { stateOf } from './webhook-state.ts';

interface StoppedNoticeProps {
  webhooks: readonly Webhook[];
}

/**
 * A warning about webhooks that the service disabled after failures, or whose secret it cannot read. Shown first on a
 * page.
 */
export function StoppedNotice({ webhooks }: StoppedNoticeProps) {
  const stopped = webhooks.filter((webhook) => stateOf(webhook) === 'stopped').length;
  const unreadable = webhooks.filter((webhook) => stateOf(webhook) === 'unreadable').length;
  const count = stopped + unreadable;
  if (count === 0) return null;
  return (
    <Box mb="lg">
      <Notice
        tone="danger"
        title={plural(count, {
          one: 'A webhook gets nothing any more',
          other: '# webhooks get nothing any more',
        })}
      >
        {stopped > 0 && (
          <>
            {plural(stopped, {
              one: 'Guildbook disabled one after failures: open it to see why, correct the cause, and enable it again.',
              other:
                'Guildbook disabled # after failures: open each to see why, correct the cause, and enable it again.',
            })}{' '}
          </>
        )}
        {unreadable > 0 && (
          <>
            {plural(unreadable, {
              one: 'The service cannot read the secret of one: open it and follow the notice there.',
              other: 'The service cannot read the secret of #: open each and follow the notice there.',
            })}{' '}
          </>
        )}
        <Trans>What happened meanwhile can be delivered with Replay.</Trans>
      </Notice>
    </Box>
  );
}
