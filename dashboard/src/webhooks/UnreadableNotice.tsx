import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import type { Webhook } from '../api/webhooks.ts';
import { lazily } from '../components/lazily.ts';
import { Notice } from '../components/Notice.tsx';
import classes from './Webhooks.module.css';
import type { WebhookWork } from './webhook-work.ts';

type Part = NonNullable<Webhook['unreadable']>;

const texts = lazily(
  () =>
    ({
      secret: {
        title: t`The secret of this webhook cannot be read`,
        remedy: t`Make a new secret and give it to your program. Deliveries are signed with the new one alone.`,
        action: t`Make a new secret`,
        work: { what: 'rotate' },
      },
      url: {
        title: t`The address of this channel cannot be read`,
        remedy: t`Enter the address again. On Discord: Channel settings, Integrations, Webhooks, Copy webhook URL.`,
        action: t`Enter the address`,
        work: { what: 'edit' },
      },
    }) as const satisfies Record<Part, { title: string; remedy: string; action: string; work: WebhookWork }>,
);

interface UnreadableNoticeProps {
  part: Part;
  onWork: (work: WebhookWork) => void;
}

/** Explains that nothing can be delivered since the service has another key, with the action that fixes it. */
export function UnreadableNotice({ part, onWork }: UnreadableNoticeProps) {
  const { title, remedy, action, work } = texts()[part];
  return (
    <Notice tone="danger" title={title}>
      <p>
        <Trans>
          This service has another encryption key than before, so nothing is delivered. {remedy} Then Replay
          delivers what happened meanwhile. If the operator of this service puts the former key back, you need
          not do anything.
        </Trans>
      </p>
      <Button className={classes.remedy ?? ''} size="xs" onClick={() => onWork(work)}>
        {action}
      </Button>
    </Notice>
  );
}
