import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { IconHistory } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { Loaded } from '../access/Loaded.tsx';
import type { AuditEntry } from '../api/audit.ts';
import { personHistoryQuery } from '../api/members.ts';
import { overviewAddress } from '../components/addresses.ts';
import { EmptyState } from '../components/EmptyState.tsx';
import { RowsSkeleton } from '../components/PageSkeleton.tsx';
import { shortMoment } from '../components/time.ts';
import { auditSentence } from './audit-words.ts';
import classes from './RecordHistory.module.css';
import { SentenceText } from './SentenceText.tsx';

interface PersonHistoryProps {
  guildId: string;
  playerId: string;
  /** The guild has nothing of the player, so there is no history to ask for. */
  isUnknown: boolean;
}

/** The newest changes of everything that belongs to a person, with links to the full log. */
export function PersonHistory({ guildId, playerId, isUnknown }: PersonHistoryProps) {
  const query = useQuery({ ...personHistoryQuery(guildId, playerId), enabled: !isUnknown });
  if (isUnknown) return <NoChanges />;
  return (
    <Loaded query={query} skeleton={<RowsSkeleton />} failure={t`The history could not be loaded`}>
      {(entries) =>
        entries.length === 0 ? (
          <NoChanges />
        ) : (
          <ol className={classes.list}>
            {entries.map((entry) => (
              <li key={entry.entryNo} className={classes.item}>
                <Deed entry={entry} guildId={guildId} />
              </li>
            ))}
          </ol>
        )
      }
    </Loaded>
  );
}

function NoChanges() {
  return (
    <EmptyState icon={<IconHistory size={28} stroke={1.6} />} title={t`No change is on record`}>
      <p>
        <Trans>Changes of the account, the verification and the records of this person appear here.</Trans>
      </p>
    </EmptyState>
  );
}

function Deed({ entry, guildId }: { entry: AuditEntry; guildId: string }) {
  const sentence = auditSentence(entry);
  const { kind, id } = entry.subject;
  return (
    <>
      <SentenceText
        sentence={sentence}
        names={{
          who: (name) => <bdi className={classes.who}>{name}</bdi>,
          what: (name) => (
            <Link to={`${overviewAddress(guildId)}/audit?kind=${kind}&subject=${encodeURIComponent(id)}`}>
              <bdi>{name}</bdi>
            </Link>
          ),
          whose: (name) => <bdi>{name}</bdi>,
        }}
      />
      {sentence.changes !== '' && (
        <>
          : <bdi>{sentence.changes}</bdi>
        </>
      )}
      <time dateTime={entry.createdAt} className={classes.when}>
        {shortMoment(Date.parse(entry.createdAt))}
      </time>
    </>
  );
}
