import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { lazy, Suspense, useCallback, useState } from 'react';
import { may } from '../access/guild-texts.ts';
import { UnknownGuild } from '../access/UnknownGuild.tsx';
import { useHasDraft } from '../access/use-form-draft.ts';
import { useGuild } from '../access/use-guild.ts';
import type { TaggedRecord } from '../api/records.ts';
import { LinkTabs } from '../components/LinkTabs.tsx';
import { PageHeading } from '../components/PageHeading.tsx';
import { usePageTitle } from '../components/use-page-title.ts';
import { DeleteRecordDialog } from './DeleteRecordDialog.tsx';
import { RecordDrawer } from './RecordDrawer.tsx';
import { RecordListing } from './RecordListing.tsx';
import { dischargeKind, type RecordKind, recordFormId, transferKind } from './record-kinds.ts';

const loadDialog = () => import('./RecordDialog.tsx');
const RecordDialog = lazy(async () => ({ default: (await loadDialog()).RecordDialog }));

const ImportDialog = lazy(async () => ({ default: (await import('./ImportDialog.tsx')).ImportDialog }));

export function DischargesPage() {
  return <RecordsPage key="discharges" kind={dischargeKind()} />;
}

export function TransfersPage() {
  return <RecordsPage key="transfers" kind={transferKind()} />;
}

/** The open dialog. */
type Work = { what: 'add' | 'import' } | { what: 'edit' | 'delete'; record: TaggedRecord };

function RecordsPage({ kind }: { kind: RecordKind }) {
  const guild = useGuild();
  const [work, setWork] = useState<Work | undefined>(
    useHasDraft(recordFormId(kind, undefined)) ? { what: 'add' } : undefined,
  );
  const [listedIds, setListedIds] = useState<string[]>([]);
  const [deletedId, setDeletedId] = useState<string | undefined>();
  const forgetDeleted = useCallback(() => setDeletedId(undefined), []);
  // After the heading's own title, which is the same for both kinds.
  usePageTitle(kind.title);
  if (guild.state === 'unknown') return <UnknownGuild guild={guild} title={kind.title} />;
  const end = () => setWork(undefined);
  const addButton = may(guild, 'records.change') && (
    <Button
      leftSection={<IconPlus size={17} stroke={2} />}
      onClick={() => setWork({ what: 'add' })}
      onMouseEnter={loadDialog}
      onFocus={loadDialog}
    >
      {kind.texts.add}
    </Button>
  );
  return (
    <>
      <PageHeading
        title={t`Records`}
        action={
          addButton && (
            <Group gap="xs">
              <Button variant="default" onClick={() => setWork({ what: 'import' })}>
                <Trans>Import CSV</Trans>
              </Button>
              {addButton}
            </Group>
          )
        }
      >
        {kind.lead}
      </PageHeading>
      <LinkTabs
        label={t`Kinds of records`}
        tabs={[dischargeKind(), transferKind()].map(({ path, title }) => ({
          to: `/guilds/${guild.guildId}/${path}`,
          label: title,
        }))}
      />
      <RecordListing kind={kind} guildId={guild.guildId} addButton={addButton} onListed={setListedIds} />
      <RecordDrawer
        kind={kind}
        guildId={guild.guildId}
        isCovered={work !== undefined}
        listedIds={listedIds}
        deletedId={deletedId}
        onHidden={forgetDeleted}
        onEdit={(record) => setWork({ what: 'edit', record })}
        onDelete={(record) => setWork({ what: 'delete', record })}
      />
      {(work?.what === 'add' || work?.what === 'edit') && (
        <Suspense>
          <RecordDialog
            kind={kind}
            guildId={guild.guildId}
            record={work.what === 'edit' ? work.record : undefined}
            onClose={end}
          />
        </Suspense>
      )}
      {work?.what === 'import' && (
        <Suspense>
          <ImportDialog kind={kind} guildId={guild.guildId} onClose={end} />
        </Suspense>
      )}
      {work?.what === 'delete' && (
        <DeleteRecordDialog
          kind={kind}
          guildId={guild.guildId}
          record={work.record}
          onClose={end}
          onDeleting={(isDeleting) => setDeletedId(isDeleting ? work.record.id : undefined)}
        />
      )}
    </>
  );
}
