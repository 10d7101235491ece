import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { type AuditKind, historyQuery } from '../api/audit.ts';
import { overviewAddress } from '../components/addresses.ts';
import { shortMoment } from '../components/time.ts';
import { actorName, auditSentence } from './audit-words.ts';
import classes from './RecordHistory.module.css';

const shownMax = 5;
const deeds = { create: 'added it', update: 'changed', delete: 'deleted it' } as const;

interface RecordHistoryProps {
  guildId: string;
  kind: AuditKind;
  id: string;
}

/** The changes of one record, newest first, with a link to the full log. */
export function RecordHistory({ guildId, kind, id }: RecordHistoryProps) {
  const query = useQuery(historyQuery(guildId, kind, id));
  const entries = query.data?.entries ?? [];
  return (
    <section className={classes.history}>
      <h3 className={classes.title}>History</h3>
      {query.isError && <p className={classes.quiet}>The history could not be loaded.</p>}
      {query.isSuccess && entries.length === 0 && <p className={classes.quiet}>No change is on record.</p>}
      <ol className={classes.list}>
        {entries.slice(0, shownMax).map((entry) => (
          <li key={entry.entryNo} className={classes.item}>
            <bdi className={classes.who}>{actorName(entry.actor)}</bdi> {deeds[entry.action]}{' '}
            <bdi>{auditSentence(entry).changes}</bdi>
            <time dateTime={entry.createdAt} className={classes.when}>
              {shortMoment(Date.parse(entry.createdAt))}
            </time>
          </li>
        ))}
      </ol>
      {entries.length > 0 && (
        <Link
          to={`${overviewAddress(guildId)}/audit?kind=${kind}&subject=${encodeURIComponent(id)}`}
          className={classes.all ?? ''}
        >
          Open in the audit log
        </Link>
      )}
    </section>
  );
}
