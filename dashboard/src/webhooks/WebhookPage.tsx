import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { IconChevronLeft } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ComponentType, useState } from 'react';
import { Link, useNavigate, useParams } from 'react-router';
import { may } from '../access/guild-texts.ts';
import { NotAllowed } from '../access/NotAllowed.tsx';
import { UnknownGuild } from '../access/UnknownGuild.tsx';
import { useHasDraft } from '../access/use-form-draft.ts';
import { useGuild } from '../access/use-guild.ts';
import { type WebhookDetail, webhookQuery } from '../api/webhooks.ts';
import { EmptyState } from '../components/EmptyState.tsx';
import { ErrorState } from '../components/ErrorState.tsx';
import { PageHeading } from '../components/PageHeading.tsx';
import { PageSkeleton } from '../components/PageSkeleton.tsx';
import { AttemptList } from './AttemptList.tsx';
import { DeleteWebhookDialog } from './DeleteWebhookDialog.tsx';
import { ReplayDialog } from './ReplayDialog.tsx';
import { RotateSecretDialog } from './RotateSecretDialog.tsx';
import { StateNotice } from './StateNotice.tsx';
import { WebhookActions } from './WebhookActions.tsx';
import { WebhookDialog } from './WebhookDialog.tsx';
import { WebhookFacts } from './WebhookFacts.tsx';
import classes from './Webhooks.module.css';
import { webhookFormId } from './webhook-form.ts';
import { titleOf } from './webhook-state.ts';
import type { WebhookDialogProps, WebhookWork } from './webhook-work.ts';

/** One webhook: its settings, its state, and the last attempts to deliver. */
export function WebhookPage() {
  const guild = useGuild();
  const { webhookId = '' } = useParams();
  if (!may(guild, 'webhooks.read')) return <NotAllowed needed="manager" />;
  if (guild.state === 'unknown') return <UnknownGuild guild={guild} title={t`Webhook`} />;
  return (
    <>
      <p className={classes.back}>
        <IconChevronLeft size={15} stroke={1.8} aria-hidden="true" />
        <Link to={`/guilds/${guild.guildId}/webhooks`} className={classes.backLink ?? ''}>
          <Trans>All webhooks</Trans>
        </Link>
      </p>
      <Detail guildId={guild.guildId} webhookId={webhookId} />
    </>
  );
}

function Detail({ guildId, webhookId }: { guildId: string; webhookId: string }) {
  const query = useQuery(webhookQuery({ guildId, webhookId }));
  if (query.isPending) return <PageSkeleton label={t`Loading the webhook`} />;
  if (query.data === null) return <NoSuchWebhook />;
  if (query.data === undefined) {
    return (
      <ErrorState
        title={t`The webhook could not be loaded`}
        detail={query.error?.message ?? ''}
        onRetry={() => query.refetch()}
        isRetrying={query.isFetching}
      />
    );
  }
  return <Shown guildId={guildId} detail={query.data} />;
}

const dialogs: Record<WebhookWork['what'], ComponentType<WebhookDialogProps>> = {
  edit: WebhookDialog,
  replay: ReplayDialog,
  rotate: RotateSecretDialog,
  delete: DeleteWebhookDialog,
};

function Shown({ guildId, detail }: { guildId: string; detail: WebhookDetail }) {
  const { webhook, attempts } = detail;
  const [work, setWork] = useState<WebhookWork | undefined>(
    useHasDraft(webhookFormId(webhook.id)) ? { what: 'edit' } : undefined,
  );
  const navigate = useNavigate();
  const Dialog = work && dialogs[work.what];
  return (
    <>
      <PageHeading
        title={titleOf(webhook)}
        action={<WebhookActions guildId={guildId} webhook={webhook} onWork={setWork} />}
      />
      <StateNotice webhook={webhook} onWork={setWork} />
      <WebhookFacts webhook={webhook} />
      <AttemptList
        place={{ guildId, webhookId: webhook.id }}
        attempts={attempts}
        isActive={webhook.status === 'active'}
        onReplay={(eventId) => setWork({ what: 'replay', eventId })}
      />
      {Dialog && (
        <Dialog
          guildId={guildId}
          webhook={webhook}
          eventId={work.what === 'replay' ? work.eventId : undefined}
          onClose={() => setWork(undefined)}
          onDeleted={() => navigate(`/guilds/${guildId}/webhooks`, { replace: true })}
        />
      )}
    </>
  );
}

function NoSuchWebhook() {
  return (
    <EmptyState title={t`There is no such webhook`} isPage>
      <p>
        <Trans>It may have been deleted. The audit log says by whom.</Trans>
      </p>
    </EmptyState>
  );
}
