import type { Actor, AuditEntry, GuildRef } from '../../domain/model.ts';
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
import { NO_HINTS, prepare, prepareOnDemand, type Runner } from './statement.ts';

const DIALECT: AuditDialect = NO_HINTS;

type Row = Omit<AuditEntry, 'actor' | 'detail'> & {
  actorKind: Actor['kind'];
  actorId: string;
  detail: string;
};

const FIND_PLACE = prepare<LogPlace>(
  `SELECT created_at AS "createdAtMs", entry_no AS "entryNo" FROM audit_entry WHERE guild_no = $1 AND entry_no = $2`,
);
const FIND_AFTER = prepare<Row>(auditAfterSql(DIALECT));

export function createAuditStore(read: Runner): AuditStore {
  const pages = prepareOnDemand<Row>();
  const actors = prepareOnDemand<Actor>();
  async function list(guild: GuildRef | undefined, query: AuditPageQuery): Promise<AuditEntry[]> {
    const { limit, beforeEntryNo, ...filter } = query;
    const guildNo = guild?.guildNo ?? NO_GUILD;
    // Entries are only ever added, so that one that is not there yet comes after all others.
    const place =
      beforeEntryNo === undefined ? undefined : await read.first(FIND_PLACE, [guildNo, beforeEntryNo]);
    const page = pages(auditShape(filter), () => auditPageSql(DIALECT, filter));
    const values = auditValues(guildNo, filter, place ?? LOG_END);
    return (await read.all(page, [...values, limit])).map(toEntry);
  }
  return {
    list,
    listForExport: list,
    after: async (guild, { afterEntryNo, limit }) =>
      (await read.all(FIND_AFTER, [guild?.guildNo ?? NO_GUILD, afterEntryNo, limit])).map(toEntry),
    async actors({ guildNo }, { limit, subjectKinds }) {
      const found = actors(kindsShape(subjectKinds), () => auditActorsSql(DIALECT, subjectKinds));
      return (await read.all(found, [guildNo, limit]))
        .map(({ kind, id }) => ({ kind, id }))
        .sort(byKindAndId);
    },
  };
}

function toEntry({ actorKind, actorId, detail, ...row }: Row): AuditEntry {
  return { ...row, actor: { kind: actorKind, id: actorId }, detail: JSON.parse(detail) };
}

function byKindAndId(one: Actor, other: Actor): number {
  return Buffer.compare(Buffer.from(`${one.kind}:${one.id}`), Buffer.from(`${other.kind}:${other.id}`));
}
