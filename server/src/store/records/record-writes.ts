import type { Change, PutOutcome } from '../../domain/model.ts';
import { assertMatch, type RecordMatch } from '../../domain/records/record-tag.ts';
import { openAudit } from '../audit/audit-writer.ts';
import { inGuildLane } from '../jobs.ts';
import { type ManyRows, manyRows, type Sql, type Statement, statement } from '../sql.ts';
import type { RecordKind } from './record-kinds.ts';

interface RecordChange {
  guildNo: number;
  change: Change;
  match?: RecordMatch | undefined;
}

interface RecordPut<Item> extends RecordChange {
  records: readonly Item[];
}

interface RecordDelete extends RecordChange {
  id: string;
}

export interface RecordStatements<Row> {
  find: Statement<Row>;
  findMany: Statement<Row>;
  put: ManyRows;
  remove: Statement<never>;
}

export function declareStatements<Item extends { id: string }, Row extends object>({
  select,
  table,
  columns,
}: RecordKind<Item, Row>): RecordStatements<Row> {
  const names = columns.map(({ name }) => name);
  const changes = names.filter((name) => name !== table.id).map((name) => `${name} = excluded.${name}`);
  return {
    find: statement(`${select} WHERE guild_no = $1 AND ${table.id} = $2`),
    findMany: statement(
      ({ isOneOf }) =>
        `${select} WHERE guild_no = $1 AND ${isOneOf(table.id, { value: '$2', type: 'text' })}`,
    ),
    put: manyRows({
      table: table.name,
      shared: ['guild_no'],
      columns: Object.fromEntries(columns.map(({ name, type }) => [name, type])),
      ending: `ON CONFLICT (guild_no, ${table.id}) DO UPDATE SET ${changes.join(', ')}`,
    }),
    remove: statement(`DELETE FROM ${table.name} WHERE guild_no = $1 AND ${table.id} = $2`),
  };
}

/** The writes of one kind of record. */
export function createRecordWrites<Item extends { id: string }, Row extends object>(
  kind: RecordKind<Item, Row>,
) {
  const { name: subjectKind } = kind.table;
  const statements = declareStatements(kind);

  /** Puts the records when `mayPut` allows each of them. Returns no outcomes when nothing was written. */
  async function put(
    sql: Sql,
    { guildNo, records, change, match }: RecordPut<Item>,
    mayPut: (isPresent: boolean) => boolean,
  ): Promise<PutOutcome[]> {
    const outcomes = await putAll(sql, { guildNo, records, change, match }, { mayPut });
    // Only `addFree` leaves records out.
    return outcomes as PutOutcome[];
  }

  /** Creates the records whose ids are free and leaves the others as they are. */
  async function addFree(sql: Sql, input: RecordPut<Item>): Promise<('created' | 'exists')[]> {
    const outcomes = await putAll(sql, input, { mayPut: () => true, keepsPresent: true });
    return outcomes.map((outcome) => (outcome === 'created' ? outcome : 'exists'));
  }

  async function putAll(
    sql: Sql,
    { guildNo, records, change, match }: RecordPut<Item>,
    { mayPut, keepsPresent = false }: { mayPut: (isPresent: boolean) => boolean; keepsPresent?: boolean },
  ): Promise<(PutOutcome | 'exists')[]> {
    const audit = await openAudit(sql, { guildNo, change, subjectKind });
    const found = await sql.all(statements.findMany, [guildNo, records.map(({ id }) => id)]);
    const present = new Map(found.map(kind.toItem).map((item) => [item.id, item]));
    if (!records.every(({ id }) => mayPut(present.has(id)))) {
      return [];
    }
    for (const { id } of records) {
      assertMatch(subjectKind, present.get(id), match);
    }
    const changed = new Map<string, Item>();
    const outcomes = records.map((record): PutOutcome | 'exists' => {
      const before = present.get(record.id);
      if (keepsPresent && before !== undefined) {
        return 'exists';
      }
      const after = kind.pick(record);
      if (!audit.add({ subjectId: record.id, before, after })) {
        return 'unchanged';
      }
      present.set(record.id, after);
      changed.set(record.id, after);
      return before === undefined ? 'created' : 'updated';
    });
    if (changed.size > 0) {
      await sql.runMany(statements.put, [guildNo], Array.from(changed.values(), kind.valuesOf));
      await audit.write();
    }
    return outcomes;
  }

  return {
    put: inGuildLane((sql, input: RecordPut<Item>) => put(sql, input, () => true)),
    addFree: inGuildLane(addFree),
    create: inGuildLane(
      async (sql, input: RecordPut<Item>) => (await put(sql, input, (isPresent) => !isPresent)).length > 0,
    ),
    replace: inGuildLane(
      async (sql, input: RecordPut<Item>) => (await put(sql, input, (isPresent) => isPresent)).length > 0,
    ),
    delete: inGuildLane(async (sql, { guildNo, id, change, match }: RecordDelete): Promise<boolean> => {
      const audit = await openAudit(sql, { guildNo, change, subjectKind });
      const row = await sql.first(statements.find, [guildNo, id]);
      if (row === undefined) {
        return false;
      }
      const before = kind.toItem(row);
      assertMatch(subjectKind, before, match);
      await sql.run(statements.remove, [guildNo, id]);
      audit.add({ subjectId: id, before, after: undefined });
      await audit.write();
      return true;
    }),
  };
}
