import { Trans } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { type AuditEntry, type AuditKind, historyQuery } from '../api/audit.ts';
import { overviewAddress } from '../components/addresses.ts';
import { shortMoment } from '../components/time.ts';
import { actorName, auditSentence } from './audit-words.ts';
import classes from './RecordHistory.module.css';

const shownMax = 5;

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
      <h3 className={classes.title}>
        <Trans>History</Trans>
      </h3>
      {query.isError && (
        <p className={classes.quiet}>
          <Trans>The history could not be loaded.</Trans>
        </p>
      )}
      {query.isSuccess && entries.length === 0 && (
        <p className={classes.quiet}>
          <Trans>No change is on record.</Trans>
        </p>
      )}
      <ol className={classes.list}>
        {entries.slice(0, shownMax).map((entry) => (
          <li key={entry.entryNo} className={classes.item}>
            <Deed entry={entry} />
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
          <Trans>Open in the audit log</Trans>
        </Link>
      )}
    </section>
  );
}

function Deed({ entry }: { entry: AuditEntry }) {
  const who = <bdi className={classes.who}>{actorName(entry.actor)}</bdi>;
  const changes = <bdi>{auditSentence(entry).changes}</bdi>;
  switch (entry.action) {
    case 'create':
      return (
        <Trans>
          {who} added it {changes}
        </Trans>
      );
    case 'update':
      return (
        <Trans>
          {who} changed {changes}
        </Trans>
      );
    case 'delete':
      return (
        <Trans>
          {who} deleted it {changes}
        </Trans>
      );
  }
}
