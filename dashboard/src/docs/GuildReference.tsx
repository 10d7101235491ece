import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo } from 'react';
import { type Guild, guildsQuery } from '../api/guilds.ts';
import { type Samples, samplesQuery } from '../api/samples.ts';
import { docsAddress, overviewAddress } from '../components/addresses.ts';
import { CopyAction } from '../components/CopyAction.tsx';
import { Notice } from '../components/Notice.tsx';
import { language } from '../texts/languages.ts';
import classes from './GuildReference.module.css';
import { ReferenceView } from './ReferenceView.tsx';
import { referenceForGuild } from './reference/for-guild.ts';
import type { Reference } from './reference/model.ts';

interface GuildReferenceProps {
  guildId: string;
  /** The whole reference; undefined while it is loading. */
  document: Reference | undefined;
  title: string;
  loading: ReactNode;
}

/** The reference with ids of a guild, or the whole reference when the guild is not open to the reader. */
export function GuildReference({ guildId, document, title, loading }: GuildReferenceProps) {
  const guilds = useQuery({ ...guildsQuery, retry: false });
  const samples = useQuery({ ...samplesQuery(guildId), retry: false });
  const guild = guilds.data?.find((one) => one.guildId === guildId);
  const ids = samples.data;
  const reference = useMemo(
    () => document && (ids ? referenceForGuild(document, { guildId, ...ids }) : document),
    [document, ids, guildId],
  );
  if (reference === undefined || samples.isPending || guilds.isPending) return loading;
  const note = ids ? (
    <GuildNote guildId={guildId} guild={guild} samples={ids} />
  ) : (
    <ClosedNote guildId={guildId} />
  );
  return <ReferenceView reference={reference} title={title} note={note} />;
}

interface GuildNoteProps {
  guildId: string;
  guild: Guild | undefined;
  samples: Samples;
}

function GuildNote({ guildId, guild, samples }: GuildNoteProps) {
  return (
    <Notice
      tone="info"
      title={guild === undefined ? t`Examples of your guild` : t`Examples of ${guild.name}`}
    >
      <Trans>The requests have ids that exist in this guild, ready to be copied or tried here.</Trans>{' '}
      <MissingText samples={samples} />
      <span className={classes.facts}>
        <Trans>
          Guild id <code>{guildId}</code>
        </Trans>
        <CopyAction value={guildId} label={t`Copy the guild’s id`} />
      </span>
      <span className={classes.facts}>
        <a href={`/dashboard${overviewAddress(guildId)}/keys`}>
          <Trans>API keys</Trans>
        </a>
        <a href={docsAddress()}>
          <Trans>Whole reference, with the operator’s paths</Trans>
        </a>
      </span>
    </Notice>
  );
}

/** Lists the kinds of data for which the guild has no example, so that a 404 is no surprise. */
function MissingText({ samples }: { samples: Samples }) {
  const missing = [
    ...(samples.dischargeId === null ? [t`discharge`] : []),
    ...(samples.transferId === null ? [t`transfer`] : []),
    ...(samples.playerId === null ? [t`player with an account`] : []),
    ...(samples.username === null ? [t`verified player`] : []),
  ];
  if (missing.length === 0) return null;
  const list = new Intl.ListFormat(language, { type: 'disjunction' }).format(missing);
  return <Trans>This guild has no {list} yet: those examples have ids that only show the form.</Trans>;
}

function ClosedNote({ guildId }: { guildId: string }) {
  return (
    <Notice tone="info" title={t`These examples are not of your guild`}>
      <Trans>
        <a href={`/dashboard${overviewAddress(guildId)}/api`}>Sign in</a> with an account that may open the
        guild to see examples with its ids.
      </Trans>
    </Notice>
  );
}
