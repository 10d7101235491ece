import type { DatabaseSync } from 'node:sqlite';
import type { Actor, AuditEntry } from '../../domain/model.ts';
import type { AuditStore } from '../../domain/ports.ts';
import {
  type AuditDialect,
  auditActorsSql,
  auditAfterSql,
  auditPageSql,
  auditShape,
  auditValues,
  LOG_END,
  type LogPlace,
} from '../audit-listing-sql.ts';
import { NO_GUILD } from './audit.ts';
import { prepare, prepareOnDemand } from './connection.ts';
import type { Read } from './write.ts';

const DIALECT: AuditDialect = { placeholder: () => '?', indexHint: (index) => `INDEXED BY ${index}` };

type Row = Omit<AuditEntry, 'actor' | 'detail'> & {
  actorKind: Actor['kind'];
  actorId: string;
  detail: string;
};

export function createAuditStore(db: DatabaseSync, read: Read): AuditStore {
  const pages = prepareOnDemand<Row>(db);
  const findPlace = prepare<LogPlace>(
    db,
    `SELECT created_at AS createdAtMs, entry_no AS entryNo FROM audit_entry WHERE guild_no = ? AND entry_no = ?`,
  );
  const findAfter = prepare<Row>(db, auditAfterSql(DIALECT));
  const findActors = prepare<Actor>(db, auditActorsSql(DIALECT));
  return {
    list: (guild, { limit, beforeEntryNo, ...filter }) =>
      read(() => {
        const guildNo = guild?.guildNo ?? NO_GUILD;
        // Entries are only ever added, so that one that is not there yet comes after all others.
        const before = (beforeEntryNo !== undefined && findPlace.get(guildNo, beforeEntryNo)) || LOG_END;
        const page = pages(auditShape(filter), () => auditPageSql(DIALECT, filter));
        return page.all(...auditValues(guildNo, filter, before), limit, guildNo).map(toEntry);
      }),
    after: (guild, { afterEntryNo, limit }) =>
      read(() => findAfter.all(guild?.guildNo ?? NO_GUILD, afterEntryNo, limit).map(toEntry)),
    actors: ({ guildNo }, limit) =>
      read(() =>
        findActors
          .all(guildNo, guildNo, limit)
          .map(({ kind, id }) => ({ kind, id }))
          .sort(byKindAndId),
      ),
  };
}

function toEntry({ actorKind, actorId, detail, ...row }: Row): AuditEntry {
  return { ...row, actor: { kind: actorKind, id: actorId }, detail: JSON.parse(detail) };
}

function byKindAndId(one: Actor, other: Actor): number {
  return Buffer.compare(Buffer.from(`${one.kind}:${one.id}`), Buffer.from(`${other.kind}:${other.id}`));
}
