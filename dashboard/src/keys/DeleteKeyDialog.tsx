import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Checkbox, Modal, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useSession } from '../access/session-context.ts';
import type { Guild } from '../api/guilds.ts';
import { type ApiKey, deleteKey, keysQuery } from '../api/keys.ts';
import { ApiError } from '../api/request.ts';
import { type Webhook, webhooksQuery } from '../api/webhooks.ts';
import { DialogButtons } from '../components/DialogButtons.tsx';
import { Notice } from '../components/Notice.tsx';
import classes from './Dialogs.module.css';
import { isSameName } from './key-list.ts';

/** Nobody should have to type a longer name. */
const typedLengthMax = 40;

interface DeleteKeyDialogProps {
  guild: Guild;
  apiKey: ApiKey;
  onClose: () => void;
}

export function DeleteKeyDialog({ guild, apiKey, onClose }: DeleteKeyDialogProps) {
  const [typed, setTyped] = useState('');
  const [keepsWebhooks, setKeepsWebhooks] = useState(false);
  const { data } = useQuery(webhooksQuery(guild.guildId));
  const webhooks =
    data?.webhooks.filter(({ keyId, status }) => keyId === apiKey.id && status === 'active') ?? [];
  const deletion = useDeletion(guild, apiKey, onClose);
  const isLong = apiKey.name.length > typedLengthMax;
  const wanted = isLong ? apiKey.prefix : apiKey.name;
  const isConfirmed = isSameName(typed, wanted);
  return (
    <Modal opened onClose={onClose} title={t`Delete this key?`} centered>
      <form
        className={classes.form}
        onSubmit={(event) => {
          event.preventDefault();
          if (isConfirmed) deletion.mutate(keepsWebhooks);
        }}
      >
        <p className={classes.text}>
          <Trans>
            Programs that use{' '}
            <strong>
              <bdi>{apiKey.name}</bdi>
            </strong>{' '}
            (<code>{apiKey.prefix}…</code>) are refused from then on. This cannot be undone.
          </Trans>
        </p>
        {webhooks.length > 0 && (
          <KeyWebhooks webhooks={webhooks} keepsWebhooks={keepsWebhooks} onChange={setKeepsWebhooks} />
        )}
        {deletion.isError && (
          <Notice tone="danger" title={t`The key was not deleted`} isAnnounced>
            {deletion.error.message}
          </Notice>
        )}
        <TextInput
          label={isLong ? t`Type the key’s prefix to confirm` : t`Type the key’s name to confirm`}
          placeholder={wanted}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          dir="auto"
          autoComplete="off"
          spellCheck={false}
          data-autofocus
        />
        <DialogButtons>
          <Button variant="default" onClick={onClose}>
            <Trans>Keep the key</Trans>
          </Button>
          <Button type="submit" color="red" disabled={!isConfirmed} loading={deletion.isPending}>
            <Trans>Delete key</Trans>
          </Button>
        </DialogButtons>
      </form>
    </Modal>
  );
}

interface KeyWebhooksProps {
  webhooks: readonly Webhook[];
  keepsWebhooks: boolean;
  onChange: (keepsWebhooks: boolean) => void;
}

/**
 * The webhooks that the key created or was the last to change. They are disabled with it unless the person keeps
 * them.
 */
function KeyWebhooks({ webhooks, keepsWebhooks, onChange }: KeyWebhooksProps) {
  return (
    <div>
      <p className={classes.text}>
        <Trans>The key made or last changed these webhooks. They are disabled with it:</Trans>
      </p>
      <ul>
        {webhooks.map(({ id, url }) => (
          <li key={id}>
            <bdi>{url}</bdi>
          </li>
        ))}
      </ul>
      <Checkbox
        label={t`Keep these webhooks enabled`}
        checked={keepsWebhooks}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
    </div>
  );
}

function useDeletion(guild: Guild, apiKey: ApiKey, onDone: () => void) {
  const session = useSession();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (keepsWebhooks: boolean) => {
      const target = { keyId: apiKey.id, keepsWebhooks };
      await deleteKey(session, guild.guildId, target).catch((error) => {
        // Somebody else has already deleted it.
        if (!(error instanceof ApiError && error.status === 404)) throw error;
      });
    },
    onSuccess: async () => {
      const { queryKey } = keysQuery(guild.guildId);
      queryClient.setQueryData(queryKey, (keys) => keys?.filter(({ id }) => id !== apiKey.id));
      notifications.show({ title: t`Key deleted`, message: apiKey.name });
      onDone();
      await queryClient.invalidateQueries({ queryKey });
    },
  });
}
