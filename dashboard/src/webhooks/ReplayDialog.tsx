import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Modal, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useSession } from '../access/session-context.ts';
import { type Replay, replayWebhook, webhooksQuery } from '../api/webhooks.ts';
import { DialogButtons } from '../components/DialogButtons.tsx';
import { Notice } from '../components/Notice.tsx';
import { localInput } from './local-input.ts';
import classes from './Webhooks.module.css';
import type { WebhookDialogProps } from './webhook-work.ts';

const dayMs = 86_400_000;
const daysMax = 30;

/** Delivers one event again, or everything since a time. */
export function ReplayDialog({ guildId, webhook, eventId, onClose }: WebhookDialogProps) {
  const [since, setSince] = useState(() => localInput(Date.now() - dayMs));
  const replay = useReplay({ guildId, webhookId: webhook.id }, onClose);
  const sinceMs = Date.parse(since);
  const order = eventId === undefined ? { since: isoOrEmpty(sinceMs) } : { eventId };
  return (
    <Modal opened onClose={onClose} title={t`Deliver again?`} centered>
      <form
        className={classes.form}
        onSubmit={(event) => {
          event.preventDefault();
          replay.mutate(order);
        }}
      >
        {replay.isError && (
          <Notice tone="danger" title={t`Nothing is delivered again`} isAnnounced>
            {replay.error.message}
          </Notice>
        )}
        {eventId === undefined ? (
          <>
            <p className={classes.text}>
              <Trans>
                Everything that this webhook is told of is delivered again in order, with the same ids as the
                first time. A program that remembers them does nothing twice.
              </Trans>
            </p>
            <TextInput
              type="datetime-local"
              label={t`Since`}
              description={t`In your time zone, at most ${daysMax} days back.`}
              required
              min={localInput(Date.now() - daysMax * dayMs)}
              max={localInput(Date.now())}
              value={since}
              data-autofocus
              onChange={(event) => setSince(event.currentTarget.value)}
            />
          </>
        ) : (
          <p className={classes.text}>
            <Trans>
              The event <code>{eventId}</code> is delivered once more, with the same id.
            </Trans>
          </p>
        )}
        <DialogButtons>
          <Button variant="default" onClick={onClose}>
            <Trans>Cancel</Trans>
          </Button>
          <Button
            type="submit"
            loading={replay.isPending}
            disabled={eventId === undefined && Number.isNaN(sinceMs)}
          >
            <Trans>Deliver again</Trans>
          </Button>
        </DialogButtons>
      </form>
    </Modal>
  );
}

function isoOrEmpty(momentMs: number): string {
  return Number.isNaN(momentMs) ? '' : new Date(momentMs).toISOString();
}

function useReplay(place: { guildId: string; webhookId: string }, onDone: () => void) {
  const session = useSession();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (order: Replay) => replayWebhook(session, place, order),
    onSuccess: () => {
      notifications.show({ title: t`On its way`, message: t`The attempts show below as they are made.` });
      onDone();
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: webhooksQuery(place.guildId).queryKey }),
  });
}
