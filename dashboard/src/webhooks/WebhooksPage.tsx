import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Anchor, Box, Button } from '@mantine/core';
import { IconPlus, IconWebhook } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { may } from '../access/guild-texts.ts';
import { Loaded } from '../access/Loaded.tsx';
import { NotAllowed } from '../access/NotAllowed.tsx';
import { UnknownGuild } from '../access/UnknownGuild.tsx';
import { useHasDraft } from '../access/use-form-draft.ts';
import { useGuild } from '../access/use-guild.ts';
import type { Guild } from '../api/guilds.ts';
import { type Webhook, webhooksQuery } from '../api/webhooks.ts';
import { Breakable } from '../components/Breakable.tsx';
import { EmptyState } from '../components/EmptyState.tsx';
import { Moment } from '../components/Moment.tsx';
import { Notice } from '../components/Notice.tsx';
import { PageHeading } from '../components/PageHeading.tsx';
import { RowsSkeleton } from '../components/PageSkeleton.tsx';
import { useNow } from '../components/use-now.ts';
import { eventsInWords } from './event-texts.ts';
import { SecretDialog } from './SecretDialog.tsx';
import { StateTag } from './StateTag.tsx';
import { StoppedNotice } from './StoppedNotice.tsx';
import { WebhookDialog } from './WebhookDialog.tsx';
import classes from './Webhooks.module.css';
import { webhookFormId } from './webhook-form.ts';
import { kindTexts, stateOf } from './webhook-state.ts';

const webhooksMax = 10;

/** The webhooks of the guild. */
export function WebhooksPage() {
  const guild = useGuild();
  const [isCreating, setCreating] = useState(useHasDraft(webhookFormId(undefined)));
  const [created, setCreated] = useState<{ webhookId: string; secret: string } | undefined>(undefined);
  const navigate = useNavigate();
  if (!may(guild, 'webhooks.read')) return <NotAllowed needed="manager" />;
  if (guild.state === 'unknown') return <UnknownGuild guild={guild} title={t`Webhooks`} />;
  const open = (webhookId: string) => navigate(`/guilds/${guild.guildId}/webhooks/${webhookId}`);
  const createButton = (
    <Button leftSection={<IconPlus size={17} stroke={2} />} onClick={() => setCreating(true)}>
      <Trans>Add webhook</Trans>
    </Button>
  );
  return (
    <>
      <PageHeading title={t`Webhooks`} action={createButton}>
        <Trans>
          Tell programs and chat channels what happens in <bdi>{guild.name}</bdi>, as it happens.
        </Trans>
      </PageHeading>
      <WebhookList guild={guild} createButton={createButton} />
      {isCreating && (
        <WebhookDialog
          guildId={guild.guildId}
          onClose={() => setCreating(false)}
          onCreated={({ webhookId, secret }) =>
            secret === null ? open(webhookId) : setCreated({ webhookId, secret })
          }
        />
      )}
      {created && (
        <SecretDialog
          name={t`Secret of the new webhook`}
          secret={created.secret}
          onStored={() => open(created.webhookId)}
        />
      )}
    </>
  );
}

function WebhookList({ guild, createButton }: { guild: Guild; createButton: ReactNode }) {
  const query = useQuery(webhooksQuery(guild.guildId));
  return (
    <Loaded query={query} skeleton={<RowsSkeleton />} failure={t`The webhooks could not be loaded`}>
      {({ webhooks, channelUrl }) => (
        <>
          {channelUrl !== null && <TryOutChannel url={channelUrl} />}
          {webhooks.length === 0 ? (
            <NoWebhooks createButton={createButton} />
          ) : (
            <>
              <StoppedNotice webhooks={webhooks} />
              <ul className={classes.list} aria-label={t`Webhooks of this guild`}>
                {webhooks.map((webhook) => (
                  <WebhookRow key={webhook.id} guildId={guild.guildId} webhook={webhook} />
                ))}
              </ul>
              {webhooks.length >= webhooksMax && (
                <p className={classes.quiet}>
                  <Trans>A guild has up to {webhooksMax} webhooks. Delete one to add another.</Trans>
                </p>
              )}
            </>
          )}
        </>
      )}
    </Loaded>
  );
}

function TryOutChannel({ url }: { url: string }) {
  return (
    <Box mb="lg">
      <Notice tone="info" title={t`This is the try-out, with a chat channel of its own`}>
        <Trans>
          <Anchor href={url} target="_blank" rel="noreferrer" td="underline" inherit>
            Open the channel
          </Anchor>{' '}
          beside this page, then post or correct a transaction: the message is there some seconds later.
          Programs on this machine can be told too, at addresses such as http://127.0.0.1:8080/.
        </Trans>
      </Notice>
    </Box>
  );
}

function WebhookRow({ guildId, webhook }: { guildId: string; webhook: Webhook }) {
  const nowMs = useNow();
  const { id, name, url, kind, events, createdAt, failingSince } = webhook;
  return (
    <li className={classes.row} data-state={stateOf(webhook)}>
      <div className={classes.main}>
        <Link to={`/guilds/${guildId}/webhooks/${id}`} className={classes.url ?? ''}>
          <bdi>
            <Breakable>{name ?? url}</Breakable>
          </bdi>
        </Link>
        {name && (
          <p className={classes.address}>
            <bdi>
              <Breakable>{url}</Breakable>
            </bdi>
          </p>
        )}
        <p className={classes.quiet}>
          {kindTexts()[kind].label} · {eventsInWords(events)}
        </p>
      </div>
      <div className={classes.aside}>
        <StateTag webhook={webhook} />
        <span className={classes.quiet}>
          {failingSince === null ? (
            <Trans>
              Added <Moment at={createdAt} nowMs={nowMs} />
            </Trans>
          ) : (
            <Trans>
              First failure <Moment at={failingSince} nowMs={nowMs} />
            </Trans>
          )}
        </span>
      </div>
    </li>
  );
}

function NoWebhooks({ createButton }: { createButton: ReactNode }) {
  return (
    <EmptyState icon={<IconWebhook size={28} stroke={1.6} />} title={t`No webhooks yet`}>
      <p>
        <Trans>
          A webhook is an address that Guildbook calls when something happens: money moves, a record changes,
          a key is about to expire. A program can act on it at once instead of asking again and again; a chat
          channel shows it as a message.
        </Trans>
      </p>
      <Box mt="md">{createButton}</Box>
    </EmptyState>
  );
}
