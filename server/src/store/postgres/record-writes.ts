import type { Change, GuildRef, PutOutcome } from '../../domain/model.ts';
import { assertMatch, type RecordMatch } from '../../domain/records/record-tag.ts';
import type { RecordKind } from '../record-kinds.ts';
import { openAudit } from './audit.ts';
import { prepare, type Runner, type Statement } from './statement.ts';
import type { Writer } from './write.ts';

export interface RecordWrites<Item> {
  put(guild: GuildRef, items: readonly Item[], change: Change, match?: RecordMatch): Promise<PutOutcome[]>;
  create(guild: GuildRef, item: Item, change: Change): Promise<boolean>;
  replace(guild: GuildRef, item: Item, change: Change, match?: RecordMatch): Promise<boolean>;
  delete(guild: GuildRef, id: string, change: Change, match?: RecordMatch): Promise<boolean>;
}

interface RecordPut<Item> {
  guildNo: number;
  items: readonly Item[];
  change: Change;
  /** Which records may be there for anything to happen. */
  mayPut?: (isPresent: boolean) => boolean;
  match?: RecordMatch | undefined;
}

export interface RecordStatements<Row> {
  find: Statement<Row>;
  findMany: Statement<Row>;
  put: Statement<never>;
  remove: Statement<never>;
}

export function prepareRecords<Item extends { id: string }, Row extends object>({
  select,
  table,
  columns,
}: RecordKind<Item, Row>): RecordStatements<Row> {
  const names = columns.map(({ name }) => name);
  const lists = columns.map(({ type }, index) => `$${index + 2}::${type}[]`);
  const changes = names.filter((name) => name !== table.id).map((name) => `${name} = excluded.${name}`);
  return {
    find: prepare(`${select} WHERE guild_no = $1 AND ${table.id} = $2`),
    findMany: prepare(`${select} WHERE guild_no = $1 AND ${table.id} = ANY ($2::text[])`),
    put: prepare(
      `INSERT INTO ${table.name} (guild_no, ${names.join(', ')}) 
       SELECT own.guild_no, rows.* FROM audit_counter AS own CROSS JOIN unnest(${lists.join(', ')}) AS rows
       WHERE own.guild_no = $1
       ON CONFLICT (guild_no, ${table.id}) DO UPDATE SET ${changes.join(', ')}`,
    ),
    remove: prepare(`DELETE FROM ${table.name} WHERE guild_no = $1 AND ${table.id} = $2`),
  };
}

/** A kind of record with its statements. */
export type PreparedKind<Item extends { id: string }, Row extends object> = RecordKind<Item, Row> & {
  statements: RecordStatements<Row>;
};

export function createRecordWrites<Item extends { id: string }, Row extends object>(
  kind: PreparedKind<Item, Row>,
  { write }: Writer,
): RecordWrites<Item> {
  const put = ({ guildNo }: GuildRef, input: Omit<RecordPut<Item>, 'guildNo'>) =>
    write(`guild ${guildNo}`, (transaction) => putAll(transaction, kind, { guildNo, ...input }));
  return {
    put: (guild, items, change, match) => put(guild, { items, change, match }),
    create: async (guild, item, change) =>
      (await put(guild, { items: [item], change, mayPut: (isPresent) => !isPresent })).length > 0,
    replace: async (guild, item, change, match) =>
      (await put(guild, { items: [item], change, match, mayPut: (isPresent) => isPresent })).length > 0,
    delete: ({ guildNo }, id, change, match) =>
      write(`guild ${guildNo}`, (transaction) =>
        deleteOne(transaction, kind, { guildNo, id, change, match }),
      ),
  };
}

/**
 * A batch takes the same few round trips whatever its size: the log's lock, what is there, what is new, the log. No
 * outcomes mean that it was not to happen.
 */
async function putAll<Item extends { id: string }, Row extends object>(
  transaction: Runner,
  kind: PreparedKind<Item, Row>,
  { guildNo, items, change, mayPut = () => true, match }: RecordPut<Item>,
): Promise<PutOutcome[]> {
  const audit = await openAudit(transaction, { guildNo, change, subjectKind: kind.table.name });
  const found = await transaction.all(kind.statements.findMany, [guildNo, items.map(({ id }) => id)]);
  const present = new Map(found.map(kind.toItem).map((item) => [item.id, item]));
  if (!items.every(({ id }) => mayPut(present.has(id)))) {
    return [];
  }
  for (const { id } of items) {
    assertMatch(kind.table.name, present.get(id), match);
  }
  const changed = new Map<string, Item>();
  const outcomes = items.map((item): PutOutcome => {
    const before = present.get(item.id);
    const after = kind.pick(item);
    if (!audit.add({ subjectId: item.id, before, after })) {
      return 'unchanged';
    }
    present.set(item.id, after);
    changed.set(item.id, after);
    return before === undefined ? 'created' : 'updated';
  });
  if (changed.size > 0) {
    const rows = Array.from(changed.values(), kind.valuesOf);
    const columns = kind.columns.map((_, index) => rows.map((row) => row[index]));
    await transaction.run(kind.statements.put, [guildNo, ...columns]);
    await audit.write();
  }
  return outcomes;
}

async function deleteOne<Item extends { id: string }, Row extends object>(
  transaction: Runner,
  kind: PreparedKind<Item, Row>,
  {
    guildNo,
    id,
    change,
    match,
  }: { guildNo: number; id: string; change: Change; match: RecordMatch | undefined },
): Promise<boolean> {
  const audit = await openAudit(transaction, { guildNo, change, subjectKind: kind.table.name });
  const row = await transaction.first(kind.statements.find, [guildNo, id]);
  if (row === undefined) {
    return false;
  }
  assertMatch(kind.table.name, kind.toItem(row), match);
  await transaction.run(kind.statements.remove, [guildNo, id]);
  audit.add({ subjectId: id, before: kind.toItem(row), after: undefined });
  await audit.write();
  return true;
}
