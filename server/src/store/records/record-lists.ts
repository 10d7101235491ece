import type { GuildRef } from '../../domain/model.ts';
import type { PageOf, RecordPage, RecordWalk } from '../../domain/records/record-lists.ts';
import { withoutSnapshot } from '../jobs.ts';
import { type Sql, statement, statementsByShape } from '../sql.ts';
import type { RecordKind } from './record-kinds.ts';
import {
  type AnyFilter,
  filterShape,
  filterValues,
  listShape,
  recordCountSql,
  recordPageSql,
  recordWalkSql,
  walkShape,
  walkValues,
} from './record-listing-sql.ts';

export interface RecordQuery {
  guild: GuildRef;
  filter: AnyFilter & PageOf;
}

export interface WalkQuery {
  guild: GuildRef;
  walk: RecordWalk;
}

/** The lists of one kind of record, as long reads: any page may have to visit all records of its guild. */
export function createRecordReads<Item extends { id: string }, Row extends object>(
  kind: RecordKind<Item, Row>,
) {
  type ListedRow = Omit<Row, 'guildId'>;
  const { table } = kind;
  const pages = statementsByShape<ListedRow & { id: string | null; total: number }>();
  const walks = statementsByShape<ListedRow>();
  return {
    list: withoutSnapshot(async (sql: Sql, { guild, filter }: RecordQuery): Promise<RecordPage<Item>> => {
      const statement = pages(listShape(filter), (dialect) => recordPageSql(dialect, table, filter));
      const offset = (filter.page - 1) * filter.limit;
      const rows = await sql.all(statement, [...filterValues(guild.guildNo, filter), filter.limit, offset]);
      return {
        records: rows.flatMap(({ total: _total, ...row }) =>
          // The columns are those of the kind.
          row.id === null ? [] : [kind.toListedItem(row as unknown as ListedRow, guild.guildId)],
        ),
        total: rows[0]?.total ?? 0,
      };
    }),
    walk: withoutSnapshot(async (sql: Sql, { guild, walk }: WalkQuery): Promise<Item[]> => {
      const statement = walks(walkShape(walk), (dialect) => recordWalkSql(dialect, table, walk));
      const rows = await sql.all(statement, walkValues(guild.guildNo, walk));
      return rows.map((row) => kind.toListedItem(row, guild.guildId));
    }),
  };
}

/** Counts the records of a guild in a range of time, and those of single players. */
export function createRecordCounts<Item extends { id: string }, Row extends object>({
  table,
}: RecordKind<Item, Row>) {
  const counts = statementsByShape<{ total: number }>();
  const countByPlayer = statement<{ playerId: string; total: number }>(
    ({ isOneOf }) =>
      `SELECT player_id AS "playerId", count(*) AS total FROM ${table.name}
       WHERE guild_no = $1 AND ${isOneOf('player_id', { value: '$2', type: 'text' })} GROUP BY player_id`,
  );
  return {
    async inRange(sql: Sql, guildNo: number, range: AnyFilter['range']): Promise<number> {
      const filter: AnyFilter = { range, search: undefined, sortBy: 'date', sortOrder: 'asc' };
      const count = counts(filterShape(filter), (dialect) => recordCountSql(dialect, table, filter));
      return (await sql.first(count, filterValues(guildNo, filter)))?.total ?? 0;
    },
    async byPlayer(sql: Sql, guildNo: number, playerIds: readonly string[]): Promise<number[]> {
      const rows = await sql.all(countByPlayer, [guildNo, playerIds]);
      const totals = new Map(rows.map(({ playerId, total }) => [playerId, total]));
      return playerIds.map((playerId) => totals.get(playerId) ?? 0);
    },
  };
}
