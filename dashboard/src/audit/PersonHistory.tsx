import { useQueries } from '@tanstack/react-query';
import { Link } from 'react-router';
import { type AuditEntry, type AuditKind, historyQuery } from '../api/audit.ts';
import { overviewAddress } from '../components/addresses.ts';
import { shortMoment } from '../components/time.ts';
import { auditSentence } from './audit-words.ts';
import classes from './RecordHistory.module.css';

const shownMax = 10;
const askedMax = 20;

interface PersonHistoryProps {
  guildId: string;
  /** The subjects that belong to the person: the account, the verification, records. */
  subjects: readonly { kind: AuditKind; id: string }[];
}

/** The changes of everything that belongs to a person, newest first, with links to the full log. */
export function PersonHistory({ guildId, subjects }: PersonHistoryProps) {
  // Each subject is a request of its own, so their number is limited; the full log has the rest.
  const asked = subjects.slice(0, askedMax);
  const queries = useQueries({ queries: asked.map(({ kind, id }) => historyQuery(guildId, kind, id)) });
  if (queries.some(({ isPending }) => isPending)) return <p className={classes.quiet}>Loading …</p>;
  const entries = queries.flatMap(({ data }) => data?.entries ?? []);
  const newest = entries.toSorted((one, other) => other.entryNo - one.entryNo).slice(0, shownMax);
  return (
    <>
      {queries.some(({ isError }) => isError) && (
        <p className={classes.quiet}>A part of the history could not be loaded.</p>
      )}
      {newest.length === 0 && <p className={classes.quiet}>No change is on record.</p>}
      <ol className={classes.list}>
        {newest.map((entry) => (
          <li key={entry.entryNo} className={classes.item}>
            <Deed entry={entry} guildId={guildId} />
          </li>
        ))}
      </ol>
    </>
  );
}

function Deed({ entry, guildId }: { entry: AuditEntry; guildId: string }) {
  const { who, did, what, changes } = auditSentence(entry);
  const { kind, id } = entry.subject;
  return (
    <>
      <bdi className={classes.who}>{who}</bdi> {did}{' '}
      <Link to={`${overviewAddress(guildId)}/audit?kind=${kind}&subject=${encodeURIComponent(id)}`}>
        <bdi>{what}</bdi>
      </Link>
      {changes !== '' && (
        <>
          : <bdi>{changes}</bdi>
        </>
      )}
      <time dateTime={entry.createdAt} className={classes.when}>
        {shortMoment(Date.parse(entry.createdAt))}
      </time>
    </>
  );
}
