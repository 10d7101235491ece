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
        title={count === 1 ? 'A webhook gets nothing any more' : `${count} webhooks get nothing any more`}
      >
        {stopped > 0 && (
          <>
            Guildbook disabled {stopped === 1 ? 'one' : stopped} after failures: open{' '}
            {stopped === 1 ? 'it' : 'each'} to see why, correct the cause, and enable it again.{' '}
          </>
        )}
        {unreadable > 0 && (
          <>
            The service cannot read the secret of {unreadable === 1 ? 'one' : unreadable}: open{' '}
            {unreadable === 1 ? 'it' : 'each'} and follow the notice there.{' '}
          </>
        )}
        What happened meanwhile can be delivered with Replay.
      </Notice>
    </Box>
  );
}
