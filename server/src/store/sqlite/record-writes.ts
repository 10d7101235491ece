import type { DatabaseSync } from 'node:sqlite';
import type { Change, Discharge, PutOutcome } from '../../domain/model.ts';
import { assertMatch, type RecordMatch } from '../../domain/records/record-tag.ts';
import { DISCHARGES, type RecordKind, TRANSFERS } from '../record-kinds.ts';
import { type AuditedPut, createAuditWriter } from './audit.ts';
import { prepare } from './connection.ts';

interface RecordChange {
  guildNo: number;
  change: Change;
  match?: RecordMatch | undefined;
}

export interface RecordPut<Item> extends RecordChange {
  records: readonly Item[];
}

export interface RecordDelete extends RecordChange {
  id: string;
}

export function createRecordWrites(db: DatabaseSync) {
  const discharges = createKindWrites<Discharge, Discharge>(db, DISCHARGES);
  const transfers = createKindWrites(db, TRANSFERS);
  return {
    putDischarges: discharges.put,
    createDischarge: discharges.create,
    replaceDischarge: discharges.replace,
    deleteDischarge: discharges.delete,
    putTransfers: transfers.put,
    createTransfer: transfers.create,
    replaceTransfer: transfers.replace,
    deleteTransfer: transfers.delete,
  };
}

/** The names of the writes of each kind, as the writer thread knows them. */
export const WRITE_NAMES = {
  discharge: {
    put: 'putDischarges',
    create: 'createDischarge',
    replace: 'replaceDischarge',
    delete: 'deleteDischarge',
  },
  transfer: {
    put: 'putTransfers',
    create: 'createTransfer',
    replace: 'replaceTransfer',
    delete: 'deleteTransfer',
  },
} as const;

function createKindWrites<Item extends { id: string }, Row extends object>(
  db: DatabaseSync,
  kind: RecordKind<Item, Row>,
) {
  const { name: subjectKind, id: idColumn } = kind.table;
  const audit = createAuditWriter(db);
  const find = prepareFind(db, kind);
  const columns = kind.columns.map(({ name }) => name);
  const insert = prepare(
    db,
    `INSERT OR REPLACE INTO ${subjectKind} (guild_no, ${columns.join(', ')})
     VALUES (?, ${columns.map(() => '?').join(', ')})`,
  );
  const remove = prepare(db, `DELETE FROM ${subjectKind} WHERE guild_no = ? AND ${idColumn} = ?`);

  function put(guildNo: number, item: Item, change: Change): PutOutcome {
    const after = kind.pick(item);
    const before = find(guildNo, item.id);
    const entry: AuditedPut = { guildNo, change, subjectKind, subjectId: item.id, before, after };
    if (!audit(entry)) {
      return 'unchanged';
    }
    insert.run(guildNo, ...kind.valuesOf(after));
    return before === undefined ? 'created' : 'updated';
  }

  /** Puts records only while each is absent, or only while each is there; otherwise nothing happens. */
  function putWhile(isAbsent: boolean, { guildNo, records, change, match }: RecordPut<Item>): boolean {
    const mayPut = records.every(({ id }) => (find(guildNo, id) === undefined) === isAbsent);
    if (mayPut) {
      putMeant({ guildNo, records, change, match });
    }
    return mayPut;
  }

  /** Puts records only while each is the one that is meant. */
  function putMeant({ guildNo, records, change, match }: RecordPut<Item>): PutOutcome[] {
    for (const { id } of match === undefined ? [] : records) {
      assertMatch(subjectKind, find(guildNo, id), match);
    }
    return records.map((record) => put(guildNo, record, change));
  }

  return {
    put: putMeant,
    create: (input: RecordPut<Item>): boolean => putWhile(true, input),
    replace: (input: RecordPut<Item>): boolean => putWhile(false, input),
    delete({ guildNo, id, change, match }: RecordDelete): boolean {
      const before = find(guildNo, id);
      if (before === undefined) {
        return false;
      }
      assertMatch(subjectKind, before, match);
      remove.run(guildNo, id);
      return audit({ guildNo, change, subjectKind, subjectId: id, before, after: undefined });
    },
  };
}

export function prepareFind<Item extends { id: string }, Row extends object>(
  db: DatabaseSync,
  { select, table, toItem }: RecordKind<Item, Row>,
): (guildNo: number, id: string) => Item | undefined {
  const find = prepare<Row>(db, `${select} WHERE guild_no = ? AND ${table.id} = ?`);
  return (guildNo, id) => {
    const row = find.get(guildNo, id);
    return row && toItem(row);
  };
}
