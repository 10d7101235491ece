import { NAMED_PLAYERS_MAX, type NamedPlayer } from '../../domain/people/member-store.ts';
import type { Dialect } from '../dialect.ts';
import { nameKey } from '../records/record-keys.ts';
import { type Sql, statement } from '../sql.ts';
import { byPlayer, VERIFIED_BY } from './verified-names.ts';

type RecordTable = 'discharge' | 'transfer';

const oneOf = ({ isOneOf }: Dialect, column: string, value: string) =>
  isOneOf(column, { value, type: 'text' });

/** The game accounts of verified people. Values: ids, names in lower case. */
const FIND_VERIFIED = statement<{ playerId: string }>((dialect) => {
  const by = (column: string, value: string) =>
    `SELECT player_id FROM verification WHERE ${oneOf(dialect, column, value)}`;
  const found = [by('chat_id', '$1'), by('player_id', '$1'), by('name_key', '$2')].join(' UNION ');
  return `SELECT player_id AS "playerId" FROM (${found}) AS found ORDER BY player_id LIMIT ${NAMED_PLAYERS_MAX}`;
});
/** Players by their names in the guild's records. Values: guild, names in lower case. */
const findInRecords = (table: RecordTable) =>
  statement<{ playerId: string; name: string }>(
    (dialect) =>
      `SELECT DISTINCT player_id AS "playerId", name FROM ${table}
       WHERE guild_no = $1 AND ${oneOf(dialect, 'name_key', '$2')} LIMIT ${NAMED_PLAYERS_MAX}`,
  );
/** Those of the players that the guild knows. Values: guild, players. */
const findMembers = (table: RecordTable | 'account') =>
  statement<{ playerId: string }>(
    (dialect) =>
      `SELECT DISTINCT player_id AS "playerId" FROM ${table}
       WHERE guild_no = $1 AND ${oneOf(dialect, 'player_id', '$2')}`,
  );
const IN_RECORDS = [findInRecords('discharge'), findInRecords('transfer')];
const MEMBERS = [findMembers('account'), findMembers('discharge'), findMembers('transfer')];

/** See `MemberStore.findNamed`. */
export async function findNamed(
  sql: Sql,
  { guildNo, texts }: { guildNo: number; texts: readonly string[] },
): Promise<NamedPlayer[]> {
  const names = texts.map(nameKey);
  const recordNames = new Map<string, string[]>();
  for (const find of IN_RECORDS) {
    for (const { playerId, name } of await sql.all(find, [guildNo, names])) {
      recordNames.set(playerId, [...(recordNames.get(playerId) ?? []), name]);
    }
  }
  const verified = await sql.all(FIND_VERIFIED, [texts, names]);
  const mayBe = [...new Set([...texts, ...verified.map(({ playerId }) => playerId), ...recordNames.keys()])];
  const members = new Set<string>();
  for (const find of MEMBERS) {
    for (const { playerId } of await sql.all(find, [guildNo, mayBe])) {
      members.add(playerId);
    }
  }
  const holders = byPlayer(await sql.all(VERIFIED_BY.player, [mayBe]));
  return mayBe
    .filter((playerId) => members.has(playerId) || holders.has(playerId))
    .slice(0, NAMED_PLAYERS_MAX)
    .map((playerId) => ({
      playerId,
      chatId: holders.get(playerId)?.chatId,
      username: holders.get(playerId)?.username,
      recordNames: recordNames.get(playerId) ?? [],
      isMember: members.has(playerId),
    }));
}
