import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Modal } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useSession } from '../access/session-context.ts';
import { deleteWebhook, webhookQuery, webhooksQuery } from '../api/webhooks.ts';
import { DialogButtons } from '../components/DialogButtons.tsx';
import { Notice } from '../components/Notice.tsx';
import classes from './Webhooks.module.css';
import { titleOf } from './webhook-state.ts';
import type { WebhookDialogProps } from './webhook-work.ts';

export function DeleteWebhookDialog({ guildId, webhook, onClose, onDeleted }: WebhookDialogProps) {
  const session = useSession();
  const queryClient = useQueryClient();
  const place = { guildId, webhookId: webhook.id };
  const deletion = useMutation({
    mutationFn: () => deleteWebhook(session, place),
    onSuccess: () => {
      onDeleted();
      queryClient.removeQueries({ queryKey: webhookQuery(place).queryKey });
      return queryClient.invalidateQueries({ queryKey: webhooksQuery(guildId).queryKey, exact: true });
    },
  });
  return (
    <Modal opened onClose={onClose} title={t`Delete this webhook?`} centered>
      <div className={classes.form}>
        <p className={classes.text}>
          <Trans>
            Nothing is delivered to{' '}
            <strong>
              <bdi>{titleOf(webhook)}</bdi>
            </strong>{' '}
            any more. Its secret and its list of attempts are gone, and what waits for another attempt is
            dropped.
          </Trans>
        </p>
        {deletion.isError && (
          <Notice tone="danger" title={t`Nothing was deleted`} isAnnounced>
            {deletion.error.message}
          </Notice>
        )}
        <DialogButtons>
          <Button variant="default" onClick={onClose} data-autofocus>
            <Trans>Keep it</Trans>
          </Button>
          <Button color="red.9" loading={deletion.isPending} onClick={() => deletion.mutate()}>
            <Trans>Delete</Trans>
          </Button>
        </DialogButtons>
      </div>
    </Modal>
  );
}
