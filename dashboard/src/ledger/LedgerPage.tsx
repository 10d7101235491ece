import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { UnknownGuild } from '../access/UnknownGuild.tsx';
import { useGuild } from '../access/use-guild.ts';
import { NewMenu } from '../acting/NewMenu.tsx';
import { PageHeading } from '../components/PageHeading.tsx';
import { TimeZoneNote } from '../components/TimeZoneNote.tsx';
import { GuildTransactions } from './GuildTransactions.tsx';

/** The ledger of the whole guild. */
export function LedgerPage() {
  const guild = useGuild();
  if (guild.state === 'unknown') return <UnknownGuild guild={guild} title={t`Ledger`} />;
  return (
    <>
      <PageHeading title={t`Ledger`} action={<NewMenu guild={guild} />}>
        <Trans>
          Every deposit and withdrawal of <bdi>{guild.name}</bdi>. <TimeZoneNote />
        </Trans>
      </PageHeading>
      <GuildTransactions guild={guild} />
    </>
  );
}
