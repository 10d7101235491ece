import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { IconChevronRight, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react';
import { Link } from 'react-router';
import type { AuditAction, AuditEntry } from '../api/audit.ts';
import { Hint } from '../components/Hint.tsx';
import { exactMoment } from '../components/time.ts';
import { ActorMark } from './ActorMark.tsx';
import classes from './AuditEntryRow.module.css';
import { clockTime } from './audit-days.ts';
import {
  actionLabels,
  actorDetail,
  auditSentence,
  type ChangedField,
  changedFields,
  subjectLinks,
  subjectPath,
} from './audit-words.ts';
import { SentenceText } from './SentenceText.tsx';

const icons: Record<AuditAction, typeof IconPlus> = {
  create: IconPlus,
  update: IconPencil,
  delete: IconTrash,
};

interface AuditEntryRowProps {
  guildId: string;
  entry: AuditEntry;
}

/** One change as a sentence. It expands to the fields before and after. */
export function AuditEntryRow({ guildId, entry }: AuditEntryRowProps) {
  const Icon = icons[entry.action];
  const momentMs = Date.parse(entry.createdAt);
  return (
    <li className={classes.entry}>
      <details>
        <summary className={classes.summary}>
          <span className={classes.mark} data-action={entry.action} title={actionLabels()[entry.action]}>
            <Icon size={14} stroke={2} aria-hidden="true" />
          </span>
          <EntrySentence guildId={guildId} entry={entry} />
          <Hint label={Number.isNaN(momentMs) ? t`Unknown` : exactMoment(momentMs)}>
            {(target) => (
              <time {...target} dateTime={entry.createdAt} className={classes.time}>
                {clockTime(momentMs)}
              </time>
            )}
          </Hint>
          <IconChevronRight size={16} stroke={1.8} className={classes.chevron} aria-hidden="true" />
        </summary>
        <EntryDetails guildId={guildId} entry={entry} />
      </details>
    </li>
  );
}

function EntrySentence({ guildId, entry }: AuditEntryRowProps) {
  const sentence = auditSentence(entry);
  const words = (
    <SentenceText
      sentence={sentence}
      names={{
        who: (name) => <bdi className={classes.who}>{name}</bdi>,
        what: (name) => <bdi className={classes.what}>{name}</bdi>,
        whose: (name) => <bdi>{name}</bdi>,
      }}
    />
  );
  return (
    <span className={classes.sentence}>
      <ActorMark guildId={guildId} actor={entry.actor} />
      {sentence.changes === '' ? (
        words
      ) : (
        <Trans>
          {words}: <span className={classes.changes}>{sentence.changes}</span>
        </Trans>
      )}
    </span>
  );
}

function EntryDetails({ guildId, entry }: AuditEntryRowProps) {
  const fields = changedFields(entry);
  const path = subjectPath(entry);
  return (
    <div className={classes.details}>
      {fields.length === 0 ? (
        <p className={classes.note}>
          <Trans>The entry holds no fields.</Trans>
        </p>
      ) : (
        <FieldTable fields={fields} action={entry.action} />
      )}
      <p className={classes.note}>
        <Trans>
          <bdi>{actorDetail(entry.actor)}</bdi>. Entry {entry.entryNo}.
        </Trans>{' '}
        {path !== undefined && (
          <Link to={`/guilds/${encodeURIComponent(guildId)}/${path}`}>
            {subjectLinks()[entry.subject.kind]}
          </Link>
        )}
      </p>
    </div>
  );
}

function FieldTable({ fields, action }: { fields: ChangedField[]; action: AuditAction }) {
  const hasBefore = action !== 'create';
  const hasAfter = action !== 'delete';
  return (
    <table className={classes.fields}>
      <thead>
        <tr>
          <th scope="col">
            <Trans>Field</Trans>
          </th>
          {hasBefore && <th scope="col">{hasAfter ? t`Before` : t`Value`}</th>}
          {hasAfter && <th scope="col">{hasBefore ? t`After` : t`Value`}</th>}
        </tr>
      </thead>
      <tbody>
        {fields.map(({ name, label, before, after }) => (
          <tr key={name}>
            <th scope="row">{label}</th>
            {hasBefore && <Value text={before} look="before" />}
            {hasAfter && <Value text={after} look="after" />}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Value({ text, look }: { text: string | undefined; look: 'before' | 'after' }) {
  return (
    <td dir="auto" className={classes.value} data-look={look}>
      {text === undefined || text === '' ? (
        <span className={classes.empty}>
          <Trans>empty</Trans>
        </span>
      ) : (
        text
      )}
    </td>
  );
}
