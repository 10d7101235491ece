import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Modal } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useSession } from '../access/session-context.ts';
import { rotateWebhook, webhooksQuery } from '../api/webhooks.ts';
import { DialogButtons } from '../components/DialogButtons.tsx';
import { Notice } from '../components/Notice.tsx';
import { SecretDialog } from './SecretDialog.tsx';
import classes from './Webhooks.module.css';
import { titleOf } from './webhook-state.ts';
import type { WebhookDialogProps } from './webhook-work.ts';

/** Creates a new secret and shows it once. */
export function RotateSecretDialog({ guildId, webhook, onClose }: WebhookDialogProps) {
  const session = useSession();
  const queryClient = useQueryClient();
  const [secret, setSecret] = useState<string | undefined>(undefined);
  const rotation = useMutation({
    mutationFn: () => rotateWebhook(session, { guildId, webhookId: webhook.id }),
    onSuccess: setSecret,
    onSettled: () => queryClient.invalidateQueries({ queryKey: webhooksQuery(guildId).queryKey }),
  });
  if (secret !== undefined) {
    return <SecretDialog name={t`New secret of ${titleOf(webhook)}`} secret={secret} onStored={onClose} />;
  }
  return (
    <Modal opened onClose={onClose} title={t`Make a new secret?`} centered>
      <div className={classes.form}>
        <p className={classes.text}>
          {webhook.unreadable === null
            ? t`For 24 hours deliveries are signed with both secrets, so that your program can change over without a gap. After that only the new one counts.`
            : t`The present secret cannot be read. Deliveries are signed with the new one alone, from now on.`}
        </p>
        {rotation.isError && (
          <Notice tone="danger" title={t`No new secret was made`} isAnnounced>
            {rotation.error.message}
          </Notice>
        )}
        <DialogButtons>
          <Button variant="default" onClick={onClose} data-autofocus>
            <Trans>Cancel</Trans>
          </Button>
          <Button loading={rotation.isPending} onClick={() => rotation.mutate()}>
            <Trans>Make a new secret</Trans>
          </Button>
        </DialogButtons>
      </div>
    </Modal>
  );
}
