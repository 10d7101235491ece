import { Box } from '@mantine/core';
import { Link } from 'react-router';
import type { Webhook } from '../api/webhooks.ts';
import { Notice } from '../components/Notice.tsx';
import { stateOf } from './webhook-state.ts';

interface StoppedNoticeProps {
  webhooks: readonly Webhook[];
  /** Where they are, for a page that does not show them itself. */
  to?: string;
}

/** What failed for so long that the service gave up needs somebody, and is said before everything else. */
export function StoppedNotice({ webhooks, to }: StoppedNoticeProps) {
  const stopped = webhooks.filter((webhook) => stateOf(webhook) === 'stopped');
  if (stopped.length === 0) return null;
  const isOne = stopped.length === 1;
  return (
    <Box mb="lg">
      <Notice
        tone="danger"
        title={isOne ? 'A webhook gets nothing any more' : `${stopped.length} webhooks get nothing any more`}
      >
        Guildbook disabled {isOne ? 'it' : 'them'} after failures. Open {isOne ? 'it' : 'each'} to see why,
        correct the cause, and enable it again. What happened meanwhile can be delivered with Replay.
        {to !== undefined && (
          <>
            {' '}
            <Link to={to}>Show the webhooks</Link>
          </>
        )}
      </Notice>
    </Box>
  );
}
