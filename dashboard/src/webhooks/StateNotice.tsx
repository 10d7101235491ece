import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Stack } from '@mantine/core';
import { disabledReasonText } from '../access/webhook-texts.ts';
import type { Webhook } from '../api/webhooks.ts';
import { Moment } from '../components/Moment.tsx';
import { Notice } from '../components/Notice.tsx';
import { useNow } from '../components/use-now.ts';
import { UnreadableNotice } from './UnreadableNotice.tsx';
import { stateOf } from './webhook-state.ts';
import type { WebhookWork } from './webhook-work.ts';

interface StateNoticeProps {
  webhook: Webhook;
  onWork: (work: WebhookWork) => void;
}

/** The problems of a webhook and their remedies; nothing while it works. */
export function StateNotice({ webhook, onWork }: StateNoticeProps) {
  const state = stateOf(webhook);
  const { unreadable } = webhook;
  const reason = disabledReasonText(webhook.disabledReason ?? '');
  return state === 'active' ? null : (
    <Stack gap="sm" mb="lg">
      {unreadable !== null && <UnreadableNotice part={unreadable} onWork={onWork} />}
      {state === 'stopped' && (
        <Notice tone="danger" title={t`Guildbook disabled this webhook after failures`}>
          <Trans>
            {reason} Nothing is delivered any more. Correct the cause, then enable it: it begins again from
            then on, and Replay delivers what happened meanwhile. The audit log and this guild’s chat channels
            say so, too.
          </Trans>
        </Notice>
      )}
      {state === 'failing' && <Failing webhook={webhook} />}
      {state === 'disabled' && (
        <Notice tone="info" title={t`This webhook is disabled`}>
          <Trans>Nothing is delivered. Once enabled, it begins again from then on.</Trans>
        </Notice>
      )}
    </Stack>
  );
}

function Failing({ webhook: { failingSince } }: { webhook: Webhook }) {
  const nowMs = useNow();
  return (
    <Notice tone="warning" title={t`Deliveries fail`}>
      {failingSince !== null && (
        <>
          <Trans>
            The first failure was <Moment at={failingSince} nowMs={nowMs} />, and none has succeeded since.
          </Trans>{' '}
        </>
      )}
      <Trans>
        Each is tried again for about a day. After five days without a success the webhook is disabled.
      </Trans>
    </Notice>
  );
}
