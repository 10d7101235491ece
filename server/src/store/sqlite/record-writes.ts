import type { DatabaseSync } from 'node:sqlite';
import type { Change, Discharge, PutOutcome, Transfer } from '../../domain/model.ts';
import { dischargeKeys, transferKeys } from '../record-keys.ts';
import { type AuditedPut, createAuditWriter } from './audit.ts';
import { prepare } from './connection.ts';
import { prepareFindDischarge, prepareFindTransfer } from './record-rows.ts';

/** What the writer thread does with one kind of record. */
interface RecordKind<Item extends { id: string }> {
  subjectKind: 'discharge' | 'transfer';
  find(guildNo: number, id: string): Item | undefined;
  /** Field by field: whatever else the caller's object carries is not part of the record. */
  pick(item: Item): Item;
  /** Inserts a record or replaces it. */
  write(guildNo: number, item: Item): void;
  remove(guildNo: number, id: string): void;
}

export interface RecordPut<Item> {
  guildNo: number;
  change: Change;
  records: readonly Item[];
}

export interface RecordDelete {
  guildNo: number;
  change: Change;
  id: string;
}

export function createRecordWrites(db: DatabaseSync) {
  const discharges = createKindWrites(db, createDischargeKind(db));
  const transfers = createKindWrites(db, createTransferKind(db));
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

function createKindWrites<Item extends { id: string }>(db: DatabaseSync, kind: RecordKind<Item>) {
  const audit = createAuditWriter(db);

  function put(guildNo: number, item: Item, change: Change): PutOutcome {
    const { subjectKind } = kind;
    const after = kind.pick(item);
    const before = kind.find(guildNo, item.id);
    const entry: AuditedPut = { guildNo, change, subjectKind, subjectId: item.id, before, after };
    if (!audit(entry)) {
      return 'unchanged';
    }
    kind.write(guildNo, after);
    return before === undefined ? 'created' : 'updated';
  }

  /** Puts records only while each is absent, or only while each is there; otherwise nothing happens. */
  function putWhile(isAbsent: boolean, { guildNo, records, change }: RecordPut<Item>): boolean {
    const mayPut = records.every(({ id }) => (kind.find(guildNo, id) === undefined) === isAbsent);
    if (mayPut) {
      records.forEach((record) => {
        put(guildNo, record, change);
      });
    }
    return mayPut;
  }

  return {
    put: ({ guildNo, records, change }: RecordPut<Item>): PutOutcome[] =>
      records.map((record) => put(guildNo, record, change)),
    create: (input: RecordPut<Item>): boolean => putWhile(true, input),
    replace: (input: RecordPut<Item>): boolean => putWhile(false, input),
    delete({ guildNo, id, change }: RecordDelete): boolean {
      const before = kind.find(guildNo, id);
      if (before === undefined) {
        return false;
      }
      const { subjectKind } = kind;
      kind.remove(guildNo, id);
      return audit({ guildNo, change, subjectKind, subjectId: id, before, after: undefined });
    },
  };
}

function createDischargeKind(db: DatabaseSync): RecordKind<Discharge> {
  const put = prepare(
    db,
    `INSERT OR REPLACE INTO discharge (guild_no, discharge_id, chat_id, player_id, name, reason, date, type,
       origin, signed, date_at, name_key, search_text)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const remove = prepare(db, 'DELETE FROM discharge WHERE guild_no = ? AND discharge_id = ?');
  return {
    subjectKind: 'discharge',
    find: prepareFindDischarge(db),
    pick: ({ id, guildId, chatId, playerId, name, reason, date, type, from, signed }) => ({
      id,
      guildId,
      chatId,
      playerId,
      name,
      reason,
      date,
      type,
      from,
      signed,
    }),
    write(guildNo, discharge) {
      const { id, chatId, playerId, name, reason, date, type, from, signed } = discharge;
      const { dateMs, nameKey, searchText } = dischargeKeys(discharge);
      const keys = [dateMs, nameKey, searchText];
      put.run(guildNo, id, chatId, playerId, name, reason, date, type, from, signed, ...keys);
    },
    remove(guildNo, id) {
      remove.run(guildNo, id);
    },
  };
}

function createTransferKind(db: DatabaseSync): RecordKind<Transfer> {
  const put = prepare(
    db,
    `INSERT OR REPLACE INTO transfer (guild_no, transfer_id, player_id, name, date, origin, target, signed, name_key,
       search_text)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const remove = prepare(db, 'DELETE FROM transfer WHERE guild_no = ? AND transfer_id = ?');
  return {
    subjectKind: 'transfer',
    find: prepareFindTransfer(db),
    pick: ({ id, guildId, playerId, name, date, from, to, signed }) => ({
      id,
      guildId,
      playerId,
      name,
      date,
      from,
      to,
      signed,
    }),
    write(guildNo, transfer) {
      const { id, playerId, name, from, to, signed } = transfer;
      const { dateMs, nameKey, searchText } = transferKeys(transfer);
      put.run(guildNo, id, playerId, name, dateMs, from, to, signed, nameKey, searchText);
    },
    remove(guildNo, id) {
      remove.run(guildNo, id);
    },
  };
}
