import { Box } from '@mantine/core';
import type { Webhook } from '../api/webhooks.ts';
import { Moment } from '../components/Moment.tsx';
import { Notice } from '../components/Notice.tsx';
import { useNow } from '../components/use-now.ts';
import { stateOf } from './webhook-state.ts';

/** What is wrong with a webhook and what to do about it; nothing while it works. */
export function StateNotice({ webhook }: { webhook: Webhook }) {
  const state = stateOf(webhook);
  return state === 'active' ? null : (
    <Box mb="lg">
      {state === 'stopped' && (
        <Notice tone="danger" title="Guildbook disabled this webhook after failures">
          {webhook.disabledReason} Nothing is delivered any more. Correct the cause, then enable it: it begins
          again from then on, and Replay delivers what happened meanwhile. The audit log and this guild’s chat
          channels say so, too.
        </Notice>
      )}
      {state === 'failing' && <Failing webhook={webhook} />}
      {state === 'disabled' && (
        <Notice tone="info" title="This webhook is disabled">
          Nothing is delivered. Once enabled, it begins again from then on.
        </Notice>
      )}
    </Box>
  );
}

function Failing({ webhook: { failingSince } }: { webhook: Webhook }) {
  const nowMs = useNow();
  return (
    <Notice tone="warning" title="Deliveries fail">
      {failingSince !== null && (
        <>
          The first failure was <Moment at={failingSince} nowMs={nowMs} />, and none has succeeded since.{' '}
        </>
      )}
      Each is tried again for about a day. After five days without a success the webhook is disabled.
    </Notice>
  );
}
