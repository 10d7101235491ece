import { NAME_CANDIDATES_MAX, type ViewFilter } from '../../domain/ledger/ledger-views.ts';
import { nameKey } from '../records/record-keys.ts';
import { type Sql, statement } from '../sql.ts';
import { LAST_CHARACTER } from './player-views.ts';

interface SearchedPlayer {
  accountNo: number;
  playerId: string;
}

/** A filter with the players of the guild that its search text names. Their transactions match. */
export interface SearchedFilter extends ViewFilter {
  players?: readonly SearchedPlayer[];
}

const COLUMNS = 'a.account_no AS "accountNo", a.player_id AS "playerId"';
const FIND_BY_ID = statement<SearchedPlayer>(
  `SELECT ${COLUMNS} FROM account AS a WHERE a.guild_no = $1 AND a.player_id = $2`,
);
const FIND_BY_NAME = statement<SearchedPlayer>(
  `SELECT ${COLUMNS} FROM (SELECT player_id FROM verification
     WHERE name_key >= $1 AND name_key < $2 ORDER BY name_key, chat_id LIMIT ${NAME_CANDIDATES_MAX}) AS named
   CROSS JOIN account AS a WHERE a.guild_no = $3 AND a.player_id = named.player_id`,
);

/** Finds the players of a search text: the one with exactly this id, and those whose verified name begins with it. */
export async function resolveSearch<Filter extends ViewFilter>(
  read: Sql,
  guildNo: number,
  filter: Filter,
): Promise<Filter & SearchedFilter> {
  const { search } = filter;
  if (search === undefined) {
    return filter;
  }
  const name = nameKey(search);
  const players = [
    ...(await read.all(FIND_BY_ID, [guildNo, search])),
    ...(await read.all(FIND_BY_NAME, [name, name + LAST_CHARACTER, guildNo])),
  ];
  return { ...filter, players };
}
