import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Box, Button } from '@mantine/core';
import { IconKey, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ComponentType, lazy, type ReactNode, Suspense, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { may } from '../access/guild-texts.ts';
import { NoPermission } from '../access/NoPermission.tsx';
import { NotAllowed } from '../access/NotAllowed.tsx';
import { UnknownGuild } from '../access/UnknownGuild.tsx';
import { useDraftedId, useHasDraft } from '../access/use-form-draft.ts';
import { useGuild } from '../access/use-guild.ts';
import type { Guild } from '../api/guilds.ts';
import { type ApiKey, keysQuery } from '../api/keys.ts';
import { ApiError } from '../api/request.ts';
import { docsAddress } from '../components/addresses.ts';
import { EmptyState } from '../components/EmptyState.tsx';
import { ErrorState } from '../components/ErrorState.tsx';
import { PageHeading } from '../components/PageHeading.tsx';
import { RowsSkeleton } from '../components/PageSkeleton.tsx';
import { DeleteKeyDialog } from './DeleteKeyDialog.tsx';
import { ExpiryNotice } from './ExpiryNotice.tsx';
import type { KeyAction } from './KeyActions.tsx';
import { KeyListing } from './KeyListing.tsx';
import { KeySettingsDialog } from './KeySettingsDialog.tsx';
import { KeyTabs } from './KeyTabs.tsx';
import { KeyUsageDrawer } from './KeyUsageDrawer.tsx';
import { createKeyFormId, keySettingsFormId } from './key-form.ts';
import { PlanDialog } from './PlanDialog.tsx';
import { RotateKeyDialog } from './RotateKeyDialog.tsx';

// The calendar is the largest part of the dashboard, so it is loaded only for creating a key.
const loadCreateDialog = () => import('./CreateKeyDialog.tsx');
const CreateKeyDialog = lazy(async () => ({ default: (await loadCreateDialog()).CreateKeyDialog }));

export function KeysPage() {
  const guild = useGuild();
  const [isCreating, setCreating] = useCreating();
  if (!may(guild, 'keys.read')) return <NotAllowed needed="manager" />;
  if (guild.state === 'unknown') return <UnknownGuild guild={guild} title={t`API keys`} />;
  const createButton = may(guild, 'keys.issue') && (
    <Button
      leftSection={<IconPlus size={17} stroke={2} />}
      onClick={() => setCreating(true)}
      onMouseEnter={loadCreateDialog}
      onFocus={loadCreateDialog}
    >
      <Trans>Create key</Trans>
    </Button>
  );
  const close = () => setCreating(false);
  return (
    <>
      <PageHeading title={t`API keys`} action={createButton}>
        <Trans>
          Bots and game servers use them to read <bdi>{guild.name}</bdi>’s records and to post to its ledger.
          The <a href={docsAddress(guild.guildId)}>API reference</a> has examples with ids of this guild.
        </Trans>
      </PageHeading>
      <KeyTabs guildId={guild.guildId} />
      <Keys guild={guild} createButton={createButton} />
      {guild.state === 'no-plan' ? (
        <PlanDialog guild={guild} isOpen={isCreating} onClose={close} />
      ) : (
        isCreating && (
          <Suspense>
            <CreateKeyDialog guild={guild} onClose={close} />
          </Suspense>
        )
      )}
    </>
  );
}

/** True while the dialog for a new key is open. The command palette opens it through the history's state. */
function useCreating(): [boolean, (isCreating: boolean) => void] {
  const navigate = useNavigate();
  const { state } = useLocation();
  const isAsked = typeof state === 'object' && state !== null && 'isCreating' in state;
  const [isCreating, setCreating] = useState(useHasDraft(createKeyFormId));
  const set = (next: boolean) => {
    setCreating(next);
    if (!next && isAsked) navigate('.', { replace: true, state: null });
  };
  return [isCreating || isAsked, set];
}

function Keys({ guild, createButton }: { guild: Guild; createButton: ReactNode }) {
  const query = useQuery(keysQuery(guild.guildId));
  const draftedId = useDraftedId(keySettingsFormId(''));
  const [asked, setAsked] = useState<{ action: KeyAction; keyId: string } | undefined>(
    draftedId === undefined ? undefined : { action: 'settings', keyId: draftedId },
  );
  if (query.isPending) return <RowsSkeleton />;
  if (query.data === undefined) {
    if (query.error instanceof ApiError && query.error.status === 404) return <NoPermission />;
    return (
      <ErrorState
        title={t`The keys could not be loaded`}
        detail={query.error?.message ?? ''}
        onRetry={() => query.refetch()}
        isRetrying={query.isFetching}
      />
    );
  }
  const apiKey = query.data.find(({ id }) => id === asked?.keyId);
  return (
    <>
      <ExpiryNotice keys={query.data} />
      {query.data.length === 0 ? (
        <EmptyState icon={<IconKey size={28} stroke={1.6} />} title={t`No keys yet`}>
          <p>
            <Trans>
              A key lets one program use the API for this guild. Give each program a key of its own.
            </Trans>
          </p>
          <Box mt="md">{createButton}</Box>
        </EmptyState>
      ) : (
        <KeyListing
          keys={query.data}
          mayRotate={may(guild, 'keys.issue')}
          onAction={(action, { id: keyId }) => setAsked({ action, keyId })}
        />
      )}
      {asked && apiKey && (
        <KeyDialog action={asked.action} guild={guild} apiKey={apiKey} onClose={() => setAsked(undefined)} />
      )}
    </>
  );
}

interface KeyDialogProps {
  action: KeyAction;
  guild: Guild;
  apiKey: ApiKey;
  onClose: () => void;
}

const dialogs: Record<KeyAction, ComponentType<Omit<KeyDialogProps, 'action'>>> = {
  usage: KeyUsageDrawer,
  settings: KeySettingsDialog,
  rotate: RotateKeyDialog,
  delete: DeleteKeyDialog,
};

function KeyDialog({ action, ...props }: KeyDialogProps) {
  const Dialog = dialogs[action];
  return <Dialog {...props} />;
}
