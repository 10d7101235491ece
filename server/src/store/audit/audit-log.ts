import type { Actor, AuditEntry } from '../../domain/model.ts';
import type { AuditPageQuery, AuditStore } from '../../domain/ports.ts';
import { withoutSnapshot } from '../jobs.ts';
import { type Sql, statement, statementsByShape } from '../sql.ts';
import {
  AUDIT_AFTER,
  auditActorsSql,
  auditPageSql,
  auditShape,
  auditValues,
  kindsShape,
  LOG_END,
  type LogPlace,
} from './audit-listing-sql.ts';
import { NO_GUILD } from './audit-writer.ts';

type Row = Omit<AuditEntry, 'actor' | 'detail'> & {
  actorKind: Actor['kind'];
  actorId: string;
  detail: string;
};

const FIND_PLACE = statement<LogPlace>(
  `SELECT created_at AS "createdAtMs", entry_no AS "entryNo" FROM audit_entry WHERE guild_no = $1 AND entry_no = $2`,
);
const FIND_AFTER = statement<Row>(AUDIT_AFTER);
const pages = statementsByShape<Row>();
const actors = statementsByShape<Actor>();

interface PageInput {
  guildNo: number;
  page: AuditPageQuery;
}

/** Entries are only added and never change, so a page needs no snapshot. */
async function listAudit(sql: Sql, { guildNo, page }: PageInput): Promise<AuditEntry[]> {
  const { limit, beforeEntryNo, ...filter } = page;
  // Without a place, or when the entry does not exist yet, the page begins with the newest entry.
  const place =
    beforeEntryNo === undefined ? undefined : await sql.first(FIND_PLACE, [guildNo, beforeEntryNo]);
  const entries = pages(auditShape(filter), (dialect) => auditPageSql(dialect, filter));
  return (await sql.all(entries, [...auditValues(guildNo, filter, place ?? LOG_END), limit])).map(toEntry);
}

export const AUDIT_READS = { listAudit: withoutSnapshot(listAudit) };

export interface AuditStoreParts {
  read: Sql;
  /** Reads a page for an export, without delaying other reads. */
  exportPage(input: PageInput): Promise<AuditEntry[]>;
}

export function createAuditStore({ read, exportPage }: AuditStoreParts): AuditStore {
  return {
    list: (guild, page) => listAudit(read, { guildNo: guild?.guildNo ?? NO_GUILD, page }),
    listForExport: ({ guildNo }, page) => exportPage({ guildNo, page }),
    after: async (guild, { afterEntryNo, limit }) =>
      (await read.all(FIND_AFTER, [guild?.guildNo ?? NO_GUILD, afterEntryNo, limit])).map(toEntry),
    async actors({ guildNo }, { limit, subjectKinds }) {
      const found = actors(kindsShape(subjectKinds), () => auditActorsSql(subjectKinds));
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
