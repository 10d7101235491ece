import type { DatabaseSync } from 'node:sqlite';
import type { Actor, AuditEntry } from '../../domain/model.ts';
import type { AuditPageQuery, AuditStore } from '../../domain/ports.ts';
import {
  type AuditDialect,
  auditActorsSql,
  auditAfterSql,
  auditPageSql,
  auditShape,
  auditValues,
  kindsShape,
  LOG_END,
  type LogPlace,
} from '../audit-listing-sql.ts';
import { NO_GUILD } from './audit.ts';
import { prepare, prepareOnDemand } from './connection.ts';
import type { CallOf, Read } from './write.ts';

const DIALECT: AuditDialect = {
  placeholder: (position) => `?${position}`,
  indexHint: (index) => `INDEXED BY ${index}`,
};

type Row = Omit<AuditEntry, 'actor' | 'detail'> & {
  actorKind: Actor['kind'];
  actorId: string;
  detail: string;
};

export type AuditReads = ReturnType<typeof createAuditReads>;

interface AuditParts {
  db: DatabaseSync;
  read: Read;
  readExport: CallOf<AuditReads>;
}

export function createAuditStore({ db, read, readExport }: AuditParts): AuditStore {
  const { exportAudit: list } = createAuditReads(db);
  const findAfter = prepare<Row>(db, auditAfterSql(DIALECT));
  const actors = prepareOnDemand<Actor>(db);
  return {
    list: (guild, page) => read(() => list({ guildNo: guild?.guildNo ?? NO_GUILD, page })),
    listForExport: ({ guildNo }, page) => readExport('exportAudit', { guildNo, page }),
    after: (guild, { afterEntryNo, limit }) =>
      read(() => findAfter.all(guild?.guildNo ?? NO_GUILD, afterEntryNo, limit).map(toEntry)),
    actors: ({ guildNo }, { limit, subjectKinds }) =>
      read(() =>
        actors(kindsShape(subjectKinds), () => auditActorsSql(DIALECT, subjectKinds))
          .all(guildNo, limit)
          .map(({ kind, id }) => ({ kind, id }))
          .sort(byKindAndId),
      ),
  };
}

/** What the reader thread of exports does for the log. */
export function createAuditReads(db: DatabaseSync) {
  const pages = prepareOnDemand<Row>(db);
  const findPlace = prepare<LogPlace>(
    db,
    `SELECT created_at AS createdAtMs, entry_no AS entryNo FROM audit_entry WHERE guild_no = ? AND entry_no = ?`,
  );
  return {
    exportAudit({ guildNo, page }: { guildNo: number; page: AuditPageQuery }): AuditEntry[] {
      const { limit, beforeEntryNo, ...filter } = page;
      // Entries are only ever added, so that one that is not there yet comes after all others.
      const before = (beforeEntryNo !== undefined && findPlace.get(guildNo, beforeEntryNo)) || LOG_END;
      const statement = pages(auditShape(filter), () => auditPageSql(DIALECT, filter));
      return statement.all(...auditValues(guildNo, filter, before), limit).map(toEntry);
    },
  };
}

function toEntry({ actorKind, actorId, detail, ...row }: Row): AuditEntry {
  return { ...row, actor: { kind: actorKind, id: actorId }, detail: JSON.parse(detail) };
}

function byKindAndId(one: Actor, other: Actor): number {
  return Buffer.compare(Buffer.from(`${one.kind}:${one.id}`), Buffer.from(`${other.kind}:${other.id}`));
}
