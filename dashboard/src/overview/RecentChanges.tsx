import { Trans } from '@lingui/react/macro';
import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { type AuditEntry, lastChangesQuery } from '../api/audit.ts';
import type { Guild } from '../api/guilds.ts';
import { ActorMark } from '../audit/ActorMark.tsx';
import { auditSentence } from '../audit/audit-words.ts';
import { SentenceText } from '../audit/SentenceText.tsx';
import { Moment } from '../components/Moment.tsx';
import { useNow } from '../components/use-now.ts';
import classes from './Overview.module.css';

const shownMax = 4;

/** The last changes in the guild, with their actors. */
export function RecentChanges({ guild }: { guild: Guild }) {
  const { data, error } = useQuery(lastChangesQuery(guild.guildId));
  return (
    <section className={classes.section} aria-labelledby="changes-title">
      <div className={classes.head}>
        <h2 id="changes-title" className={classes.title}>
          <Trans>Last changes</Trans>
        </h2>
        <Link to={`/guilds/${guild.guildId}/audit`} className={classes.more ?? ''}>
          <Trans>Audit log</Trans>
        </Link>
      </div>
      {data === undefined && !error && <Skeleton height={84} />}
      {data === undefined && error && (
        <p className={classes.quiet}>
          <Trans>The audit log could not be loaded. {error.message}</Trans>
        </p>
      )}
      {data?.entries.length === 0 && (
        <p className={classes.quiet}>
          <Trans>Nothing was changed yet.</Trans>
        </p>
      )}
      {data && data.entries.length > 0 && (
        <Entries guildId={guild.guildId} entries={data.entries.slice(0, shownMax)} />
      )}
    </section>
  );
}

function Entries({ guildId, entries }: { guildId: string; entries: readonly AuditEntry[] }) {
  const nowMs = useNow();
  return (
    <ul className={classes.list}>
      {entries.map((entry) => (
        <li key={entry.entryNo}>
          <span className={classes.deed}>
            <ActorMark guildId={guildId} actor={entry.actor} />
            <SentenceText
              sentence={auditSentence(entry)}
              names={{
                who: (name) => <bdi className={classes.actor}>{name}</bdi>,
                what: (name) => <bdi>{name}</bdi>,
                whose: (name) => <bdi>{name}</bdi>,
              }}
            />
          </span>
          <span className={classes.moment}>
            <Moment at={entry.createdAt} nowMs={nowMs} />
          </span>
        </li>
      ))}
    </ul>
  );
}
